'use strict';
// Waits until all charts are drawn, and tells the frame around the page what has become of it.
(() => {
  const figures = [...document.querySelectorAll('figure.chart')];
  const colourOf = shape => [getComputedStyle(shape).fill, getComputedStyle(shape).stroke];
  const painted = (figure, button) => {
    // Black is what has no colour of its own.
    const wanted = [...button.querySelectorAll('svg *')].flatMap(colourOf)
      .filter(colour => colour.startsWith('rgb') && colour !== 'rgb(0, 0, 0)');
    const paper = getComputedStyle(document.body).backgroundColor;
    const canvas = figure.querySelector('.plot canvas');
    if (canvas) {
      const copy = document.createElement('canvas');
      Object.assign(copy, { width: canvas.width, height: canvas.height });
      const pen = copy.getContext('2d', { willReadFrequently: true });
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) count += wanted.includes(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`) ? 1 : 0;
      return count;
    }
    return [...figure.querySelectorAll('.plot svg path, .plot svg rect')]
      .filter(shape => colourOf(shape).some(colour => colour !== paper && wanted.includes(colour)))
      .filter(shape => shape.getBBox().width + shape.getBBox().height > 0).length;
  };
  const cut = figure => {
    const plot = figure.querySelector('.plot');
    const box = plot ? plot.getBoundingClientRect() : null;
    return [...figure.querySelectorAll('.plot svg text')].filter(text => {
      const own = text.getBoundingClientRect();
      return own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1;
    }).map(text => text.textContent);
  };
  const seen = () => Object.fromEntries(figures.map(figure => [figure.id, {
    drawn: figure.dataset.drawn,
    painted: [...figure.querySelectorAll('.legend button')].map(button => painted(figure, button)),
    cut: cut(figure),
    wide: figure.getBoundingClientRect().right > innerWidth,
  }]));
  // What is told of the first value of each series, when it is pointed at.
  const tips = figure => {
    const plot = figure.querySelector('.plot');
    const chart = echarts.getInstanceByDom(plot);
    return chart.getModel().getSeries().filter(series => /^(main|marks)/.test(series.id)).map(series => {
      chart.dispatchAction({ type: 'showTip', seriesIndex: series.seriesIndex, dataIndex: 0 });
      const tip = plot.querySelector('.tip');
      const text = tip ? [...tip.querySelectorAll('bdi, b')].map(each => each.textContent).join('|') : '';
      if (tip) tip.remove();
      return text;
    });
  };
  const column = (table, i) => [...table.querySelectorAll('tbody tr')].map(row => row.cells[i].textContent);

  const tell = () => {
    const result = {
      width: innerWidth,
      overflow: document.documentElement.scrollWidth - innerWidth,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      paper: getComputedStyle(document.body).backgroundColor,
      title: document.title,
      images: document.images.length,
      fetched: performance.getEntriesByType('resource').map(entry => entry.name),
      links: [...document.querySelectorAll('.download')].map(link => link.protocol + link.download),
      charts: seen(),
      held: {},
      csv: {},
      tips: {},
    };
    for (const figure of figures) {
      if (figure.dataset.drawn === 'true') {
        result.held[figure.id] = __berth.held(figure.id);
        result.csv[figure.id] = __berth.csv(figure.id);
        result.tips[figure.id] = tips(figure);
      }
    }
    for (const figure of document.querySelectorAll('figure.table')) result.csv[figure.id] = __berth.csv(figure.id);

    const timeline = document.getElementById('timeline');
    if (timeline && timeline.dataset.drawn === 'true') {
      timeline.querySelector('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: 'n' }));
      result.picked = [...timeline.querySelectorAll('.picked dd, .picked pre')].map(each => each.textContent);
      const behind = timeline.querySelector('.behind');
      behind.open = true;
      behind.dispatchEvent(new Event('toggle'));
      result.behind = behind.querySelectorAll('tbody tr').length;
    }
    const table = document.querySelector('figure.table');
    const head = table.querySelectorAll('th button')[4];
    head.click();
    result.ascending = column(table, 4);
    head.click();
    result.descending = column(table, 4);

    document.querySelector('.theme').click();
    result.otherPaper = getComputedStyle(document.body).backgroundColor;
    result.otherCharts = seen();
    dispatchEvent(new Event('beforeprint'));
    result.printedPaper = getComputedStyle(document.body).backgroundColor;
    dispatchEvent(new Event('afterprint'));

    const first = document.querySelector('figure.chart .legend button');
    const before = painted(figures[0], first);
    first.click();
    result.toggled = [before, painted(figures[0], first), first.getAttribute('aria-pressed')];
    parent.postMessage(JSON.stringify(result), '*');
  };

  let turns = 0;
  const wait = setInterval(() => {
    turns += 1;
    if (turns > 30 || figures.every(figure => figure.dataset.drawn)) {
      clearInterval(wait);
      tell();
    }
  }, 100);
})();
