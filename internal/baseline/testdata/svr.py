"""Makes svr.json, the reference for baseline's support vector regression.

    python -m venv venv && venv/bin/pip install scikit-learn libsvm-official
    venv/bin/python svr.py > svr.json

Every setting is fitted twice: by scikit-learn's SVR and by LIBSVM itself. Both compute kernels in single
precision, so predictions of theirs err by about C*sqrt(support vectors)*3e-8.
"""
import importlib.metadata
import json
import platform
import sys

import numpy as np
from libsvm.svmutil import svm_predict, svm_train
from sklearn.svm import SVR

TOLERANCE = 1e-6
rng = np.random.default_rng(20161110)


def rounded(a):
    return [float(f"{v:.8g}") for v in a]


def dataset(inputs, rows, noise, law):
    """Rows uniform on [-2, 2] and 25 test rows on [-3, 3]; numbers are rounded before anything is fitted."""
    x = np.round(rng.uniform(-2, 2, (rows, inputs)), 4)
    y = np.round(law(x.T) + noise * rng.standard_normal(rows), 4)
    return x, y, np.round(rng.uniform(-3, 3, (25, inputs)), 4)


DATA = {
    "sine": dataset(1, 200, 0.1, lambda x: np.sin(2 * x[0])),
    "plane": dataset(2, 150, 0.05, lambda x: 2 * x[0] - x[1] + 0.5),
    "product": dataset(3, 300, 0.02, lambda x: x[0] * x[1] + 0.3 * x[2]),
    "four": dataset(4, 200, 0.0, lambda x: ((1 + x[1]) * np.sin(np.pi * x[0]) + x[1] * x[2] * x[3]) / 3),
}

CASES = [  # data, C, gamma, epsilon
    ("sine", 1, 1, 0.1),
    ("sine", 1000, 0.5, 0.01),
    ("sine", 0.01, 0.05, 0.001),
    ("sine", 1, 0.2, 0),
    ("plane", 10, 0.1, 0.1),
    ("plane", 0.001, 1, 0.01),
    ("plane", 1000, 0.05, 0.1),
    ("product", 100, 0.2, 0.001),
    ("product", 1, 0.05, 1),
    ("four", 3162.2776601683795, 0.5, 0.01),
    ("four", 1, 0.2, 0.1),
]


def objective(x, y, rows, beta, gamma, epsilon):
    """The dual objective, in double precision."""
    s = x[rows]
    k = np.exp(-gamma * ((s[:, None, :] - s[None, :, :]) ** 2).sum(axis=2))
    return 0.5 * beta @ k @ beta - beta @ y[rows] + epsilon * np.abs(beta).sum()


def fit_sklearn(x, y, test, c, gamma, epsilon):
    m = SVR(C=c, gamma=gamma, epsilon=epsilon, tol=TOLERANCE, cache_size=200).fit(x, y)
    return m.support_, m.dual_coef_[0], m.predict(test)


def fit_libsvm(x, y, test, c, gamma, epsilon):
    m = svm_train(y, x, f"-s 3 -t 2 -c {c!r} -g {gamma!r} -p {epsilon!r} -e {TOLERANCE!r} -q")
    rows = np.array(m.get_sv_indices()) - 1
    beta = np.array([v[0] for v in m.get_sv_coef()])
    return rows, beta, np.array(svm_predict([], test, m, "-q")[2])[:, 0]


def case(name, c, gamma, epsilon):
    x, y, test = DATA[name]
    result = {"data": name, "c": c, "gamma": gamma, "epsilon": epsilon, "tolerance": TOLERANCE}
    for source, fit in ("scikit-learn", fit_sklearn), ("libsvm", fit_libsvm):
        rows, beta, f = fit(x, y, test, c, gamma, epsilon)
        result[source] = {
            "support": len(rows),
            "objective": float(f"{objective(x, y, rows, beta, gamma, epsilon):.8g}"),
            "predictions": rounded(f),
        }
    return result


def main():
    version = importlib.metadata.version
    header = {
        "about": "Reference fits of epsilon-SVR; svr.py beside this file says what they are.",
        "command": "python svr.py > svr.json",
        "versions": {
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "scikit-learn": version("scikit-learn"),
            "libsvm": version("libsvm-official"),
        },
    }
    data = {n: {"x": x.T.tolist(), "y": y.tolist(), "test": t.T.tolist()} for n, (x, y, t) in DATA.items()}
    lines = [f'"{k}": {json.dumps(v)}' for k, v in header.items()]
    lines.append('"data": {\n' + ",\n".join(f'"{n}": {json.dumps(d)}' for n, d in data.items()) + "\n}")
    lines.append('"cases": [\n' + ",\n".join(json.dumps(case(*c)) for c in CASES) + "\n]")
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
