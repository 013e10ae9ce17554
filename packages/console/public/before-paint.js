// Runs before the first paint: a page that turns dark, or changes its language, a moment later is a flash in the face.
(() => {
  try {
    const theme = localStorage.getItem('kith.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const language = localStorage.getItem('kith.language') ?? navigator.language;
    document.documentElement.lang = /^zh/i.test(language) ? 'zh-CN' : 'en';
  } catch {
    // Storage is switched off: the system's theme and the page's own language stand.
  }
})();
