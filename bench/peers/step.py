#!/usr/bin/env python3
"""Times the training step of BenchmarkStep in PyTorch and JAX, one JSON line a measurement.

A step is: a minibatch of 20 from shuffled rows, forward, backward, Adam. The loss of a network is

    L = Σ_{o,b} (p[o,b] − y[o,b])² / (outputs·batch) + λ Σ |W|      (biases are not in the penalty)

and a hidden layer maps its inputs x to

    z = W·x + b = (a, b, z₁ … z_u)    y = (z_id, sin z_sin, cos z_cos, σ(z_sig), a·b)

with 10 rows each of a, b and the four unary units. The factors stand in two blocks, which only
permutes rows of W. Many networks train side by side on the same rows, each with its own weights.

Before a peer is timed, its loss, its gradient and three updates are compared with the closed form
in NumPy (float64), and the closed form with finite differences.
"""

import argparse
import json
import os
import statistics
import sys
import time

NETS = {"F1": 1, "Deep3": 3}  # hidden layers
INPUTS, OUTPUTS, WIDTH = 4, 1, 10  # WIDTH of each unary unit, and products
ROWS, BATCH = 9000, 20
LAMBDA, RATE, BETA1, BETA2, EPSILON = 1e-4, 1e-3, 0.9, 0.999, 1e-8
REPEATS = 5


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--net", choices=[*NETS, "both"], default="both")
    p.add_argument("--dtype", choices=["float32", "float64"], default="float32")
    p.add_argument("--seconds", type=float, default=5, help=f"of each measurement, in {REPEATS} repeats (default 5)")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="where the peers run (default cpu)")
    p.add_argument("--peers", default=",".join(PEERS), help="some of " + ",".join(PEERS))
    p.add_argument("--networks", type=int, nargs="+", help="how many side by side, in place of each peer's own list")
    a = p.parse_args()
    a.peers = a.peers.split(",")
    for name in a.peers:
        if name not in PEERS:
            p.error(f"there is no peer {name}, only {', '.join(PEERS)}")
    if not a.seconds > 0 or a.threads < 1 or min(a.networks or [1]) < 1:
        p.error("--seconds, --threads and --networks must be positive")
    return a


# --- the step in closed form ---------------------------------------------------------------------


def sizes(net):
    """Returns (rows, inputs) of each affine map."""
    k, out = INPUTS, []
    for _ in range(NETS[net]):
        out.append((6 * WIDTH, k))
        k = 5 * WIDTH
    return out + [(OUTPUTS, k)]


def start(net, networks):
    """Returns [W (networks, rows, inputs), b (networks, rows)] of each affine map, as a flat list."""
    rng = np.random.default_rng(2)
    params = []
    for rows, k in sizes(net):
        params.append(rng.normal(0, (1 / (rows + k)) ** 0.5, (networks, rows, k)))
        params.append(rng.normal(0, 0.1, (networks, rows)))  # biases not zero, so that the check sees them
    return params


def table():
    """Returns x (inputs, rows) and y (outputs, rows)."""
    x = np.random.default_rng(1).uniform(-1, 1, (INPUTS, ROWS))
    return x, x.sum(0, keepdims=True) / 3


def closed_form(params, x, y):
    """Returns the mean squared error of one network and the gradient of L."""
    inputs, slopes, factors, h, w = [], [], [], x, WIDTH
    for W, b in zip(params[:-2:2], params[1:-2:2]):
        inputs.append(h)
        z = W @ h + b[:, None]
        f, g, u = z[:w], z[w : 2 * w], z[2 * w :]
        s = 1 / (1 + np.exp(-u[3 * w :]))
        h = np.concatenate([u[:w], np.sin(u[w : 2 * w]), np.cos(u[2 * w : 3 * w]), s, f * g])
        slopes.append(np.concatenate([np.ones_like(s), np.cos(u[w : 2 * w]), -np.sin(u[2 * w : 3 * w]), s * (1 - s)]))
        factors.append((f, g))
    inputs.append(h)
    r = params[-2] @ h + params[-1][:, None] - y
    dz, grads = 2 * r / r.size, []
    for l in reversed(range(len(inputs))):
        W = params[2 * l]
        grads[:0] = [dz @ inputs[l].T + LAMBDA * np.sign(W), dz.sum(1)]
        if l:
            dh, (f, g) = W.T @ dz, factors[l - 1]
            dp = dh[4 * w :]
            dz = np.concatenate([dp * g, dp * f, dh[: 4 * w] * slopes[l - 1]])
    return (r * r).mean(), grads


def closed_adam(params, batches):
    """Returns the weights of one network after one update a batch."""
    p, m, v = [a.copy() for a in params], [0] * len(params), [0] * len(params)
    for t, (x, y) in enumerate(batches, 1):
        for i, g in enumerate(closed_form(p, x, y)[1]):
            m[i] = BETA1 * m[i] + (1 - BETA1) * g
            v[i] = BETA2 * v[i] + (1 - BETA2) * g * g
            p[i] = p[i] - RATE * (m[i] / (1 - BETA1**t)) / (np.sqrt(v[i] / (1 - BETA2**t)) + EPSILON)
    return p


def check_closed_form(net):
    """Compares the gradient with central differences of L at some coordinates of each array."""
    rng = np.random.default_rng(3)
    params = [a[0] for a in start(net, 1)]
    x, y = (a[:, :BATCH] for a in table())

    def loss():
        return closed_form(params, x, y)[0] + LAMBDA * sum(np.abs(W).sum() for W in params[::2])

    for a, g in zip(params, closed_form(params, x, y)[1]):
        for i in rng.integers(0, a.size, 10):
            was, h = a.flat[i], 1e-6
            a.flat[i] = was + h
            up = loss()
            a.flat[i] = was - h
            down = loss()
            a.flat[i] = was
            # Rounding of the loss, about 1e-16/h, and h² times a third derivative.
            if not abs((up - down) / (2 * h) - g.flat[i]) <= 1e-8:
                sys.exit(f"{net}: the closed form's gradient is {g.flat[i]}, finite difference {(up - down) / (2 * h)}")


def check(peer, net, networks, dtype):
    """Compares the first, a middle and the last network of a fresh peer with the closed form."""
    params, (x, y) = start(net, networks), table()
    batches = [(x[:, i : i + BATCH], y[:, i : i + BATCH]) for i in range(0, 3 * BATCH, BATCH)]
    loss, grads = peer.loss_and_gradient(*batches[0])
    peer.train(*(peer.array(np.stack(a)) for a in zip(*batches)))
    weights = peer.weights()
    # Rounding of float32 is 6e-8, in sums of about 50 products through at most 4 layers.
    tol = 1e-10 if dtype == "float64" else 1e-4
    for e in sorted({0, networks // 2, networks - 1}):
        one = [a[e] for a in params]
        want_loss, want_grads = closed_form(one, *batches[0])
        if not abs(loss[e] - want_loss) <= tol * max(1, want_loss):
            sys.exit(f"{peer.name} {net}: the loss of network {e} is {loss[e]}, closed form {want_loss}")
        for i, (got, want) in enumerate(zip(grads, want_grads)):
            if not np.abs(got[e] - want).max() <= tol * max(1, np.abs(want).max()):
                sys.exit(f"{peer.name} {net}: the gradient of array {i} of network {e} differs from the closed form")
        # Adam divides g by its size, so rounding moves the few weights whose g is near zero.
        far = np.concatenate([np.abs(w[e] - v).ravel() for w, v in zip(weights, closed_adam(one, batches))])
        if not (far.max() <= 6 * RATE and (far > RATE / 100).mean() <= 0.01):
            sys.exit(f"{peer.name} {net}: three updates of network {e} differ from the closed form by {far.max()}")


# --- PyTorch -------------------------------------------------------------------------------------


class Torch:
    """Holds what every PyTorch peer shares. Arrays are (networks, rows, batch), or without the
    first axis for one network; axis is that of the rows."""

    axis = -2
    module = "torch"

    def __init__(self, net, networks, dtype):
        self.dtype = getattr(torch, dtype)
        x, y = table()
        self.x, self.y = self.array(x), self.array(y)
        self.params = [self.array(self.arrange(a)) for a in start(net, networks)]
        self.rng = torch.Generator(device).manual_seed(4)
        self.prepare()

    def array(self, a):
        return torch.tensor(np.ascontiguousarray(a), dtype=self.dtype, device=device)

    def arrange(self, a):
        return a

    def restore(self, a):
        return a

    def numpy(self, arrays):
        return [self.restore(a.detach().cpu().numpy()) for a in arrays]

    def weights(self):
        return self.numpy(self.params)

    def finish(self):
        if device == "cuda":
            torch.cuda.synchronize()

    def shuffle(self):
        """Returns an epoch of minibatches, x (steps, inputs, batch) and y (steps, outputs, batch)."""
        order = torch.randperm(ROWS, generator=self.rng, device=device)
        return (a[:, order].view(len(a), -1, BATCH).transpose(0, 1).contiguous() for a in (self.x, self.y))

    def affine(self, W, b, y):
        if y.dim() == 3:
            return torch.baddbmm(b.unsqueeze(-1), W, y)
        return W @ y + b.unsqueeze(-1)  # the inputs, shared: one product for all networks

    def forward(self, params, h):
        w, d = WIDTH, self.axis
        for W, b in zip(params[:-2:2], params[1:-2:2]):
            f, g, i, s, c, l = self.affine(W, b, h).split(w, d)
            h = torch.cat([i, s.sin(), c.cos(), l.sigmoid(), f * g], d)
        return self.affine(params[-2], params[-1], h)


class TorchEager(Torch):
    """One network the way it is usually written: autograd, the penalty in the loss, torch.optim."""

    name, networks = "torch-eager", [1]
    fused = False

    def arrange(self, a):
        return a[0]

    def restore(self, a):
        return a[None]

    def prepare(self):
        for p in self.params:
            p.requires_grad_()
        self.solver = torch.optim.Adam(self.params, lr=RATE, betas=(BETA1, BETA2), eps=EPSILON, fused=self.fused)

    def backward(self, x, y):
        self.solver.zero_grad()
        mse = torch.nn.functional.mse_loss(self.forward(self.params, x), y)
        (mse + LAMBDA * sum(W.abs().sum() for W in self.params[::2])).backward()
        return mse.detach()

    def loss_and_gradient(self, x, y):
        loss = self.backward(self.array(x), self.array(y))
        return loss.reshape(-1).cpu().numpy(), self.numpy(p.grad for p in self.params)

    def train(self, xs, ys):
        for x, y in zip(xs, ys):
            self.backward(x, y)
            self.solver.step()


class TorchEagerFused(TorchEager):
    """The same with the fused Adam."""

    name, fused = "torch-eager-fused", True


class TorchBmm(TorchEager):
    """Networks batched by hand with bmm; the penalty's gradient is added by hand; fused Adam."""

    name, networks, fused = "torch-bmm", [64, 128, 256], True

    def arrange(self, a):
        return a

    def restore(self, a):
        return a

    def backward(self, x, y):
        self.solver.zero_grad()
        mse = (self.forward(self.params, x) - y).square().mean((-2, -1))
        mse.sum().backward()
        with torch.no_grad():
            for W in self.params[::2]:
                W.grad.add_(W.sign(), alpha=LAMBDA)
        return mse.detach()


class TorchVmap(Torch):
    """vmap over networks of the gradient of one network, and Adam on the stacked arrays."""

    name, networks = "torch-vmap", [64, 128, 256]

    def prepare(self):
        self.m = [torch.zeros_like(p) for p in self.params]
        self.v = [torch.zeros_like(p) for p in self.params]
        self.t = torch.zeros((), dtype=self.dtype, device=device)

        def mse(params, x, y):
            return torch.nn.functional.mse_loss(self.forward(params, x), y)

        self.gradient = torch.func.vmap(torch.func.grad_and_value(mse), in_dims=(0, None, None))

    def penalised(self, params, x, y):
        grads, mse = self.gradient(params, x, y)
        return [g if i % 2 else g + LAMBDA * p.sign() for i, (p, g) in enumerate(zip(params, grads))], mse

    def loss_and_gradient(self, x, y):
        grads, mse = self.penalised(self.params, self.array(x), self.array(y))
        return mse.detach().cpu().numpy(), self.numpy(grads)

    def update(self, params, m, v, t, x, y):
        t += 1
        root = (1 - BETA2**t).sqrt()
        rate, eps = RATE * root / (1 - BETA1**t), EPSILON * root
        for p, m, v, g in zip(params, m, v, self.penalised(params, x, y)[0]):
            m.lerp_(g, 1 - BETA1)
            v.mul_(BETA2).addcmul_(g, g, value=1 - BETA2)
            p.sub_(rate * m / (v.sqrt() + eps))

    def train(self, xs, ys):
        with torch.no_grad():
            for x, y in zip(xs, ys):
                self.update(self.params, self.m, self.v, self.t, x, y)


class TorchCompile(TorchVmap):
    """The whole step of all networks (batched by hand, Adam included) through torch.compile."""

    name = "torch-compile"

    def prepare(self):
        super().prepare()

        def mse(params, x, y):
            each = (self.forward(params, x) - y).square().mean(self.batch_axes)
            return each.sum(), each

        def gradient(*a):
            grads, (_, each) = torch.func.grad_and_value(mse, has_aux=True)(*a)
            return grads, each

        self.gradient = gradient
        torch._dynamo.reset()  # or the sizes before this one count towards a limit
        self.update = torch.compile(self.update, dynamic=False)

    batch_axes = (-2, -1)


class TorchCompileLanes(TorchCompile):
    """The same with the networks as the innermost axis and products as sums over it, no bmm."""

    name, networks, axis, batch_axes = "torch-compile-lanes", [32, 64, 128, 256], 0, (0, 1)

    def arrange(self, a):
        return np.moveaxis(a, 0, -1)

    def restore(self, a):
        return np.moveaxis(a, -1, 0)

    def affine(self, W, b, y):
        if y.dim() == 2:
            y = y.unsqueeze(-1)
        return (W.unsqueeze(2) * y).sum(1) + b.unsqueeze(1)

    def penalised(self, params, x, y):
        return super().penalised(params, x, y.unsqueeze(-1))


# --- JAX -----------------------------------------------------------------------------------------


class Jax:
    """jit of a scan over steps of the vmapped gradient of one network, Adam in the same loop."""

    module = "jax"
    name, networks = "jax", [1, 16, 64, 128, 256]

    def __init__(self, net, networks, dtype):
        self.dtype = dtype
        x, y = table()
        self.x, self.y = self.array(x), self.array(y)
        params = [self.array(a) for a in start(net, networks)]
        self.state = params, [0 * p for p in params], [0 * p for p in params], jnp.zeros((), dtype)
        self.key = jax.random.key(4)
        self.scan = jax.jit(lambda state, xs, ys: jax.lax.scan(self.step, state, (xs, ys))[0], donate_argnums=0)
        self.order = jax.jit(self.permute)

    def array(self, a):
        return jnp.asarray(a, dtype=self.dtype)

    def weights(self):
        return [np.asarray(p) for p in self.state[0]]

    def finish(self):
        jax.block_until_ready(self.state)

    def permute(self, key):
        order = jax.random.permutation(key, ROWS)
        return tuple(a[:, order].reshape(len(a), -1, BATCH).swapaxes(0, 1) for a in (self.x, self.y))

    def shuffle(self):
        self.key, key = jax.random.split(self.key)
        return self.order(key)

    @staticmethod
    def mse(params, x, y):
        h, d = x, 0
        for W, b in zip(params[:-2:2], params[1:-2:2]):
            f, g, i, s, c, l = jnp.split(W @ h + b[:, None], 6, d)
            h = jnp.concatenate([i, jnp.sin(s), jnp.cos(c), jax.nn.sigmoid(l), f * g], d)
        return jnp.square(params[-2] @ h + params[-1][:, None] - y).mean()

    def gradient(self, params, x, y):
        mse, grads = jax.vmap(jax.value_and_grad(self.mse), (0, None, None))(params, x, y)
        return [g if i % 2 else g + LAMBDA * jnp.sign(p) for i, (p, g) in enumerate(zip(params, grads))], mse

    def loss_and_gradient(self, x, y):
        grads, mse = jax.jit(self.gradient)(self.state[0], self.array(x), self.array(y))
        return np.asarray(mse), [np.asarray(g) for g in grads]

    def step(self, state, batch):
        params, m, v, t = state
        grads, _ = self.gradient(params, *batch)
        t = t + 1
        root = jnp.sqrt(1 - BETA2**t)
        rate, eps = RATE * root / (1 - BETA1**t), EPSILON * root
        m = [BETA1 * a + (1 - BETA1) * g for a, g in zip(m, grads)]
        v = [BETA2 * a + (1 - BETA2) * g * g for a, g in zip(v, grads)]
        params = [p - rate * a / (jnp.sqrt(c) + eps) for p, a, c in zip(params, m, v)]
        return (params, m, v, t), None

    def train(self, xs, ys):
        self.state = self.scan(self.state, xs, ys)


# --- measuring -----------------------------------------------------------------------------------

PEERS = {
    c.name: c
    for c in (TorchEager, TorchEagerFused, TorchBmm, TorchVmap, TorchCompile, TorchCompileLanes, Jax)
}


class Epochs:
    """Trains a peer in chunks of a shuffled epoch, shuffled again when it is used up."""

    def __init__(self, peer, networks):
        self.peer, self.chunk, self.at = peer, 450 if networks <= 16 else 45, ROWS

    def train(self):
        if self.at >= ROWS // BATCH:
            self.xs, self.ys = self.peer.shuffle()
            self.at = 0
        part = slice(self.at, self.at + self.chunk)
        self.peer.train(self.xs[part], self.ys[part])
        self.at += self.chunk
        return self.chunk


def measure(peer, networks, seconds):
    """Returns nanoseconds per network and step of each repeat."""
    epochs = Epochs(peer, networks)
    warm = time.perf_counter()
    while time.perf_counter() < warm + min(1, seconds / REPEATS):
        epochs.train()
        peer.finish()
    epochs.train()
    peer.finish()
    out, steps_in_all, all_ns = [], 0, 0
    for _ in range(REPEATS):
        steps, begin = 0, time.perf_counter_ns()
        while time.perf_counter_ns() < begin + seconds / REPEATS * 1e9:
            steps += epochs.train()
            peer.finish()
        ns = time.perf_counter_ns() - begin
        out.append(ns / steps / networks)
        steps_in_all, all_ns = steps_in_all + steps, all_ns + ns
    return out, all_ns / steps_in_all / networks


def skip(name, why):
    print(json.dumps({"peer": name, "skipped": why}), flush=True)


def load(module, threads, dtype):
    """Imports a framework and bounds its threads; returns its version."""
    global torch, jax, jnp
    if module == "torch":
        import torch

        torch.set_num_threads(threads)
        torch.set_flush_denormal(True)  # as JAX does
    else:
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", dtype == "float64")
        jax.config.update("jax_default_matmul_precision", "highest")  # on a GPU it is TF32 otherwise
    return sys.modules[module].__version__


def run(a, name):
    c = PEERS[name]
    try:
        version = load(c.module, a.threads, a.dtype)
    except ImportError as err:
        return skip(name, f"{c.module} is not installed ({err})")
    for net in NETS if a.net == "both" else [a.net]:
        for networks in a.networks if a.networks and c.networks != [1] else c.networks:
            try:
                peer = c(net, networks, a.dtype)
                check(peer, net, networks, a.dtype)
                ns, mean = measure(peer, networks, a.seconds)
            except Exception as err:  # a framework that does not support a peer on this machine must not end the run
                first = (str(err).strip().splitlines() or [""])[0]
                skip(name, f"{net}, {networks} networks: {type(err).__name__}: {first[:200]}")
                continue
            print(
                json.dumps(
                    {
                        "peer": name,
                        "version": version,
                        "net": net,
                        "dtype": a.dtype,
                        "device": device,
                        "networks": networks,
                        "ns_per_network_step": round(mean, 1),
                        "min": round(min(ns), 1),
                        "median": round(statistics.median(ns), 1),
                        "repeats": len(ns),
                    }
                ),
                flush=True,
            )


def main():
    a = arguments()
    # Before a framework or NumPy is imported: they read these once.
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC"):
        os.environ[name] = str(a.threads)
    global device
    device = a.device
    os.environ["JAX_PLATFORMS"] = device
    if device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""
    if a.threads == 1:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false " + os.environ.get("XLA_FLAGS", "")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: a.threads])
    global np
    try:
        import numpy as np
    except ImportError:
        sys.exit("step.py needs NumPy (it comes with torch and jax, see README.md)")
    for net in NETS if a.net == "both" else [a.net]:
        check_closed_form(net)
    for name in a.peers:
        run(a, name)


if __name__ == "__main__":
    main()
