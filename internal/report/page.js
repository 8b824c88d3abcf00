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
