"use strict";

// Dark or light, as the visitor chose here or, without a choice, as the system is.

{
  const choice = document.getElementById("theme");
  const apply = () => {
    document.documentElement.dataset.theme = choice.value;
  };
  const show = () => {
    try {
      choice.value = localStorage.getItem("theme") ?? "system";
    } catch {
      choice.value = "system"; // storage may be switched off
    }
    apply();
  };
  show();
  addEventListener("storage", show); // chosen in another tab or frame
  choice.addEventListener("change", () => {
    apply();
    try {
      localStorage.setItem("theme", choice.value);
    } catch {
      return; // kept for this visit only
    }
  });
}
