/** Runs before the first paint, so that a chosen theme never flashes the other one. */
(() => {
  try {
    const chosen = localStorage.getItem("ludus.theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be switched off: the system's theme it is.
  }
})();
