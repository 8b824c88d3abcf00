"use strict";
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy);
    let done = true;
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      const details = source.closest("details");
      if (details) details.open = true;
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      done = document.execCommand("copy");
    }
    const label = button.textContent;
    button.textContent = done ? "Copied" : "Select and copy it below";
    setTimeout(() => { button.textContent = label; }, 1500);
  });
}

// A formula of the front that a link, or a click on its point, leads to is shown alone.
function show(id) {
  const chosen = document.getElementById(id)?.closest("details.other");
  if (!chosen) return;
  for (const other of chosen.parentElement.querySelectorAll("details.other")) other.open = other === chosen;
  chosen.scrollIntoView({ block: "nearest" });
}
addEventListener("hashchange", () => show(location.hash.slice(1)));
show(location.hash.slice(1));

// Figures tell the values under the pointer. All that a figure has to say is text and numbers.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
const short = (v) => String(Number(v.toPrecision(5))).replaceAll("-", "−");
for (const figure of document.querySelectorAll("svg[data-hover]")) {
  const { x, y, points, curve } = JSON.parse(figure.dataset.hover);
  const pixel = (axis, v) => {
    const t = ((axis.log ? Math.log10(v) : v) - axis.ends[0]) / (axis.ends[1] - axis.ends[0]);
    return axis.pixels[0] + t * (axis.pixels[1] - axis.pixels[0]);
  };
  const nearest = (px, py) => {
    let best = null, least = 10;
    for (const s of points ?? []) {
      s.x.forEach((value, i) => {
        if (value === null || s.y[i] === null) return;
        const away = Math.hypot(pixel(x, value) - px, pixel(y, s.y[i]) - py);
        if (least >= away) {
          least = away;
          best = { x: value, y: s.y[i], label: s.label ? s.label + " " + s.numbers[i] : "", link: s.link ? s.link + s.numbers[i] : "" };
        }
      });
    }
    return best;
  };
  const under = (event) => {
    const box = figure.getBoundingClientRect(), size = figure.viewBox.baseVal;
    const px = (event.clientX - box.left) * size.width / box.width, py = (event.clientY - box.top) * size.height / box.height;
    const point = nearest(px, py);
    if (point || !curve || x.pixels[0] > px || px > x.pixels[1]) return point;
    let i = 0;
    curve.x.forEach((value, k) => { if (Math.abs(pixel(x, curve.x[i]) - px) > Math.abs(pixel(x, value) - px)) i = k; });
    if (curve.y[i] === null) return null;
    return { x: curve.x[i], y: curve.y[i], label: "formula", link: "", low: curve.low?.[i], high: curve.high?.[i] };
  };
  figure.addEventListener("pointermove", (event) => {
    const at = under(event);
    tip.hidden = !at;
    figure.style.cursor = at && document.getElementById(at.link) ? "pointer" : "";
    if (!at) return;
    const lines = [at.label, x.name + " = " + short(at.x), y.name + " = " + short(at.y)];
    if (at.low != null && at.high != null) lines.push("95 %: " + short(at.low) + " to " + short(at.high));
    tip.textContent = lines.filter((line) => line).join("\n");
    tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 4) + "px";
    tip.style.top = Math.max(4, event.clientY - tip.offsetHeight - 10) + "px";
  });
  figure.addEventListener("pointerleave", () => { tip.hidden = true; });
  figure.addEventListener("click", (event) => {
    const at = under(event);
    if (at?.link && document.getElementById(at.link)) {
      show(at.link);
      history.replaceState(null, "", "#" + at.link);
    }
  });
}
