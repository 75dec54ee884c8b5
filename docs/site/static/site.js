// Our pictures ask the root of a page whether it is dark; Furo tells its body. Before anything is drawn, and at every change.
{
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => {
    const chosen = document.body?.dataset.theme ?? localStorage.getItem("theme") ?? "auto";
    document.documentElement.setAttribute("theme", chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen);
  };
  tell();
  dark.addEventListener("change", tell);
  document.addEventListener("DOMContentLoaded", () => {
    if (location.protocol !== "file:") document.querySelectorAll("a.lite").forEach((link) => (link.hidden = false));
    new MutationObserver(tell).observe(document.body, { attributeFilter: ["data-theme"] });
    tell();
  });
}
