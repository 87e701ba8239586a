'use strict';
// Loads the page again every few seconds, and puts what is new in the place of what was there.
(() => {
  const SECONDS = 5;
  const pause = document.getElementById('pause');
  const news = document.getElementById('news');
  const at = selector => [...document.querySelectorAll(selector)];
  let isPaused = false;
  const load = async () => {
    try {
      const answer = await fetch('?width=' + document.querySelector('main').clientWidth);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      // What a reader has opened, scrolled or focused stays so.
      const open = at('details').map(each => each.open);
      const scrolled = at('.scroll').map(each => [each.scrollLeft, each.scrollTop]);
      const focused = at('summary, .scroll').indexOf(document.activeElement);
      for (const part of ['main', '.subtitle']) document.querySelector(part).replaceWith(page.querySelector(part));
      at('details').forEach((each, i) => { each.open = open[i]; });
      at('.scroll').forEach((each, i) => each.scrollTo(...(scrolled[i] || [0, 0])));
      if (focused >= 0) at('summary, .scroll')[focused]?.focus({ preventScroll: true });
      news.textContent = '';
    } catch (failed) {
      news.textContent = news.textContent || `No answer since ${new Date().toLocaleTimeString()}.`;
    }
  };
  pause.hidden = false;
  pause.addEventListener('click', () => {
    isPaused = !isPaused;
    pause.textContent = isPaused ? 'Refresh again' : 'Stop refreshing';
  });
  setInterval(() => {
    if (!isPaused && !document.hidden && getSelection().isCollapsed) load();
  }, SECONDS * 1000);
  load();
})();
