'use strict';
(() => {
  const page = JSON.parse(document.getElementById('data').textContent);
  const root = document.documentElement;
  const drawings = new Map();

  // Small pieces of the document.

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const svg = (name, attributes, ...children) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  const isolated = text => element('bdi', {}, text);

  // Numbers as they are read: never in the reader's locale, so that a page looks the same to all.

  const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 5 });
  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

  const shown = value => {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(3);
    return (size >= 1e4 ? whole : significant).format(value);
  };

  const tick = value => {
    const size = Math.abs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential().replace('+', '');
    return (size >= 1e4 ? compact : significant).format(value);
  };

  const withUnit = (value, axis) => shown(value) + (axis.unit ? ' ' + axis.unit : '');
  const axisTitle = axis => axis.name + (axis.unit ? ` (${axis.unit})` : '');

  // One look for each name throughout the page. The numbers of colours, symbols, dashes and patterns
  // have no common divisor that would let two early names look alike.

  const names = [...new Set(page.charts.flatMap(spec => (spec.series || []).map(each => each.name)))];

  // All drawn in a square of 10.
  const symbols = [
    'M0,5A5,5,0,1,1,10,5A5,5,0,1,1,0,5Z',
    'M5,0L10,9.5L0,9.5Z',
    'M0.7,0.7L9.3,0.7L9.3,9.3L0.7,9.3Z',
    'M5,0L10,5L5,10L0,5Z',
    'M3.5,0L6.5,0L6.5,3.5L10,3.5L10,6.5L6.5,6.5L6.5,10L3.5,10L3.5,6.5L0,6.5L0,3.5L3.5,3.5Z',
    'M0,0.5L10,0.5L5,10Z',
    'M1.8,0L5,3.2L8.2,0L10,1.8L6.8,5L10,8.2L8.2,10L5,6.8L1.8,10L0,8.2L3.2,5L0,1.8Z',
  ];
  // The same around their middles, small, as corners: a circle has eight.
  const outlines = symbols.map((symbol, i) => (i === 0
    ? Array.from({ length: 8 }, (_, k) => [5 + 5 * Math.cos(k * Math.PI / 4), 5 + 5 * Math.sin(k * Math.PI / 4)])
    : symbol.match(/[\d.]+,[\d.]+/g).map(corner => corner.split(',').map(Number))
  ).map(([x, y]) => [(x - 5) * 0.5, (y - 5) * 0.5]));
  const dashes = ['solid', [7, 4], [2, 3], [10, 3, 2, 3], [4, 2]];
  // For the chart, and as strokes in a swatch of 18 by 12.
  const patterns = [
    { decal: null, strokes: '' },
    { decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: -Math.PI / 4 },
      strokes: 'M-2,8L8,-2M3,12L15,0M11,13L20,4' },
    { decal: { symbol: 'circle', symbolSize: 0.55, dashArrayX: [[8, 8], [0, 8, 8, 0]], dashArrayY: [8, 0] },
      strokes: 'M3,3h2M9,3h2M15,3h2M0,8h2M6,8h2M12,8h2' },
    { decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6] }, strokes: 'M0,2H18M0,6H18M0,10H18' },
    { decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: Math.PI / 4 },
      strokes: 'M-2,4L8,14M3,0L15,12M11,-1L20,8' },
    { decal: { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: Math.PI / 2 },
      strokes: 'M3,0V12M9,0V12M15,0V12' },
  ];

  const COLOURS = 11;

  const probe = element('span', { hidden: '' });
  document.body.append(probe);

  const colour = name => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };

  const mixed = (one, other, share) => {
    const a = one.match(/[\d.]+/g).map(Number);
    const b = other.match(/[\d.]+/g).map(Number);
    return `rgb(${[0, 1, 2].map(i => Math.round(a[i] * share + b[i] * (1 - share))).join(',')})`;
  };

  const lookOf = name => {
    const index = names.indexOf(name);
    return {
      variable: `series-${index % COLOURS}`,
      colour: colour(`series-${index % COLOURS}`),
      symbol: symbols[index % symbols.length],
      outline: outlines[index % symbols.length],
      dash: dashes[index % dashes.length],
      pattern: patterns[index % patterns.length],
    };
  };

  const palette = () => ({
    paper: colour('paper'),
    ink: colour('ink'),
    muted: colour('muted'),
    rule: colour('rule'),
    faint: colour('faint'),
    raised: colour('raised'),
    heat: [0, 1, 2, 3, 4].map(i => colour(`heat-${i}`)),
    font: getComputedStyle(document.body).fontFamily,
  });

  // Parts of charts.

  const baseOption = (theme, drawing) => ({
    animation: false,
    // All at once: charts drawn bit by bit are drawn wrongly where one element shows many values.
    progressive: 0,
    backgroundColor: 'transparent',
    textStyle: { fontFamily: theme.font, fontSize: 12, color: theme.ink },
    grid: { left: 8, right: 16, top: 14, bottom: 6, containLabel: true },
    legend: { show: false, selected: Object.fromEntries([...drawing.off].map(name => [name, false])) },
    tooltip: {
      confine: true,
      transitionDuration: 0,
      backgroundColor: theme.raised,
      borderColor: theme.rule,
      textStyle: { color: theme.ink, fontFamily: theme.font, fontSize: 13 },
      extraCssText: 'box-shadow: none',
    },
  });

  const lines = theme => ({
    axisLine: { show: true, onZero: false, lineStyle: { color: theme.muted } },
    axisTick: { show: true, lineStyle: { color: theme.muted } },
    axisLabel: { color: theme.muted, fontSize: 12, hideOverlap: true },
    splitLine: { lineStyle: { color: theme.faint } },
    minorSplitLine: { show: false },
  });

  const valueAxis = (theme, axis, fromZero) => {
    const style = lines(theme);
    return {
      ...style,
      type: axis.logarithmic ? 'log' : 'value',
      scale: !fromZero,
      min: axis.min,
      max: axis.max,
      splitNumber: 4,
      axisLabel: { ...style.axisLabel, formatter: tick },
    };
  };

  // From the first value to the last, and no further. The last is told if there is room.
  const horizontalAxis = (theme, spec) => {
    const axis = valueAxis(theme, spec.x, false);
    const last = spec.series.flatMap(each => each.points).reduce((most, point) => Math.max(most, point[0]), -Infinity);
    return {
      ...axis,
      min: axis.min ?? 'dataMin',
      max: axis.max ?? 'dataMax',
      splitNumber: 5,
      splitLine: { show: false },
      axisLabel: { ...axis.axisLabel, showMaxLabel: axis.max === undefined && tick(last).length > 4 ? false : null },
    };
  };

  const ruler = document.createElement('canvas').getContext('2d');
  const widest = (theme, texts) => {
    ruler.font = `12px ${theme.font}`;
    return Math.ceil(Math.max(...texts.map(text => ruler.measureText(text).width)));
  };

  // How wide the names of categories beside horizontal bars may be.
  const besideWidth = (theme, spec, width) => Math.min(widest(theme, spec.categories), Math.max(70, width * 0.36));

  const categoryAxis = (theme, spec, width) => {
    const style = lines(theme);
    const upright = spec.horizontal;
    const fits = upright || widest(theme, spec.categories) + 8 < width / spec.categories.length;
    return {
      ...style,
      type: 'category',
      data: spec.categories,
      inverse: upright,
      splitLine: { show: false },
      axisTick: { ...style.axisTick, show: false },
      axisLabel: {
        ...style.axisLabel,
        color: theme.ink,
        interval: 0,
        rotate: fits ? 0 : 40,
        lineHeight: 14,
        width: upright ? besideWidth(theme, spec, width) + 1 : 120,
        overflow: upright ? 'break' : 'truncate',
      },
    };
  };

  const tip = (title, rows) => {
    const box = element('div', { class: 'tip' }, isolated(title));
    for (const [name, text] of rows) {
      const row = element('div');
      if (names.includes(name)) row.append(swatch('point', name));
      row.append(isolated(name), element('b', {}, text));
      box.append(row);
    }
    return box;
  };

  // The labels of vertical lines stand above the plot.
  const roomAbove = spec => spec.references.some(reference => reference.vertical) ? { top: 26 } : {};

  const referenceSeries = (theme, spec) => spec.references.map((reference, i) => {
    const first = spec.series.flatMap(each => each.points)[0] || [reference.value, reference.value];
    const at = reference.vertical ? [reference.value, first[1]] : [first[0], reference.value];
    return {
      // The point is there for the axis to reach the line.
      id: `reference-${i}`,
      type: 'scatter',
      data: [at],
      symbolSize: 0,
      silent: true,
      tooltip: { show: false },
      markLine: {
        silent: true,
        symbol: 'none',
        animation: false,
        precision: -1, // otherwise the line is drawn at the value rounded to two decimals
        lineStyle: { color: theme.ink, width: 1.5, type: [6, 3] },
        label: {
          position: reference.vertical ? 'end' : 'insideEndTop',
          distance: reference.vertical ? 6 : 5,
          color: theme.ink,
          fontSize: 12,
          textBorderColor: theme.paper,
          textBorderWidth: 3,
          formatter: () => reference.label,
        },
        data: [reference.vertical ? { xAxis: reference.value } : { yAxis: reference.value }],
      },
    };
  });

  // Marks on the edge of the plot are drawn whole, unless some lie beyond an axis that ends before them.
  const endsBefore = (axis, values) => values.some(value => value < (axis.min ?? -Infinity) || value > (axis.max ?? Infinity));
  const cutsPoints = (spec, points) =>
    endsBefore(spec.x, points.map(point => point[0])) || endsBefore(spec.y, points.map(point => point[1]));
  // Of each value, so many numbers are on the axis.
  const cutsValues = (spec, count) =>
    endsBefore(spec.value, spec.series.flatMap(each => each.values.flatMap(value => value ? value.slice(0, count) : [])));

  // The kinds of charts: each tells its option, and its series as rows of a file.

  // Neighbours differ in lightness too.
  const shade = i => i % 2 === 0 ? 0.6 : 0.25;

  const lineOption = (theme, spec, drawing) => {
    const stacked = spec.style.startsWith('stacked');
    const step = spec.style.endsWith('step') ? 'end' : false;
    const tops = [];
    const series = [];
    spec.series.forEach((each, i) => {
      const look = lookOf(each.name);
      const hidden = drawing.off.has(each.name);
      const below = stacked && i > 0 ? tops[i - 1] : each.points.map(() => 0);
      tops.push(each.points.map((point, k) => below[k] + (hidden ? 0 : point[1])));
      if (each.band) {
        series.push({
          id: `band-${i}`,
          name: each.name,
          type: 'custom',
          silent: true,
          clip: true,
          dimensions: ['x', 'low', 'high'],
          encode: { x: 0, y: [1, 2] },
          data: each.points.map((point, k) => [point[0], each.band[k][0], each.band[k][1]]),
          renderItem: (parameters, api) => {
            if (parameters.dataIndex > 0) return null;
            const corners = each.points.map((point, k) => api.coord([point[0], each.band[k][1]]));
            const back = each.points.map((point, k) => api.coord([point[0], each.band[k][0]]));
            return {
              type: 'polygon',
              shape: { points: corners.concat(back.reverse()) },
              style: { fill: look.colour, opacity: 0.2 },
            };
          },
          z: 1,
        });
      }
      series.push({
        id: `main-${i}`,
        name: each.name,
        type: 'line',
        step,
        dimensions: ['x', 'top', 'y'],
        encode: { x: 0, y: 1 },
        data: each.points.map((point, k) => [point[0], stacked ? tops[i][k] : point[1], point[1]]),
        symbol: 'path://' + look.symbol,
        symbolSize: 8,
        showSymbol: !stacked && each.points.length <= 40,
        itemStyle: { color: look.colour },
        lineStyle: { color: look.colour, width: 2, type: look.dash },
        // Opaque, and the higher behind the lower: so areas stand on top of each other.
        areaStyle: stacked ? { color: mixed(look.colour, theme.paper, shade(i)), opacity: 1, origin: 'start' } : undefined,
        z: stacked ? 3 - i / spec.series.length : 3,
        emphasis: { disabled: true },
      });
    });
    return {
      grid: roomAbove(spec),
      xAxis: horizontalAxis(theme, spec),
      yAxis: valueAxis(theme, spec.y, stacked),
      tooltip: {
        trigger: 'axis',
        axisPointer: { lineStyle: { color: theme.muted } },
        formatter: items => tip(
          withUnit(items[0].value[0], spec.x),
          items.filter(item => item.seriesId.startsWith('main')).map(item => {
            const band = spec.series[Number(item.seriesId.slice(5))].band;
            const range = band ? ` [${shown(band[item.dataIndex][0])}, ${shown(band[item.dataIndex][1])}]` : '';
            return [item.seriesName, withUnit(item.value[2], spec.y) + range];
          })),
      },
      series: series.concat(referenceSeries(theme, spec)),
    };
  };

  // Thousands of points are one path: an element for each would be a burden to the browser.
  const MANY = 1000;

  const manyPoints = (spec, look, points) => ({
    type: 'custom',
    silent: true,
    clip: cutsPoints(spec, points),
    encode: { x: 0, y: 1 },
    renderItem: (parameters, api) => {
      if (parameters.dataIndex > 0) return null;
      const d = points.map(point => {
        const [x, y] = api.coord(point);
        return look.outline.map(([dx, dy], k) => `${k ? 'L' : 'M'}${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`).join('') + 'Z';
      }).join('');
      return { type: 'path', shape: { pathData: d }, style: { fill: look.colour, opacity: 0.6 } };
    },
  });

  const scatterOption = (theme, spec) => ({
    grid: roomAbove(spec),
    xAxis: horizontalAxis(theme, spec),
    yAxis: valueAxis(theme, spec.y, false),
    tooltip: {
      trigger: 'item',
      formatter: item => tip(item.seriesName, [
        [spec.x.name, withUnit(item.value[0], spec.x)],
        [spec.y.name, withUnit(item.value[1], spec.y)],
      ]),
    },
    series: spec.series.map((each, i) => {
      const look = lookOf(each.name);
      const common = { id: `main-${i}`, name: each.name, dimensions: ['x', 'y'], data: each.points };
      if (each.points.length > MANY) return { ...common, ...manyPoints(spec, look, each.points) };
      return {
        ...common,
        type: 'scatter',
        symbol: 'path://' + look.symbol,
        symbolSize: each.points.length > 200 ? 6 : 8,
        itemStyle: { color: look.colour, opacity: 0.8 },
        emphasis: { disabled: true },
      };
    }).concat(referenceSeries(theme, spec)),
  });

  // Where the values of a series stand beside those of the others that are shown.
  const placeOf = (spec, drawing, name, api) => {
    const there = spec.series.filter(each => !drawing.off.has(each.name)).map(each => each.name);
    return api.barLayout({ count: there.length, barGap: '12%', barCategoryGap: '28%' })[there.indexOf(name)];
  };

  const marksSeries = (theme, spec) => !spec.marks ? [] : [{
    id: 'marks',
    name: spec.marks.name,
    type: 'custom',
    clip: endsBefore(spec.value, spec.marks.values.filter(value => value !== null)),
    dimensions: ['category', 'value'],
    encode: spec.horizontal ? { x: 1, y: 0 } : { x: 0, y: 1 },
    data: present(spec.marks.values.map(value => value === null ? null : [value])),
    renderItem: (parameters, api) => {
      const [x, y] = at(spec, api, api.value(0), api.value(1));
      const half = 0.45 * api.size([1, 1])[spec.horizontal ? 1 : 0];
      return {
        type: 'line',
        shape: spec.horizontal ? { x1: x, x2: x, y1: y - half, y2: y + half } : { x1: x - half, x2: x + half, y1: y, y2: y },
        style: { stroke: theme.ink, lineWidth: 2, lineDash: [6, 3] },
      };
    },
    z: 5,
  }];

  const present = values => values.flatMap((value, i) => value === null ? [] : [[i, ...value]]);

  const at = (spec, api, category, value) => api.coord(spec.horizontal ? [value, category] : [category, value]);

  const categoryOption = (theme, spec, drawing, width, series, describe) => {
    const value = valueAxis(theme, spec.value, spec.kind === 'bar');
    const category = categoryAxis(theme, spec, width);
    return {
      // The library measures names as if they were not broken into lines.
      grid: spec.horizontal
        ? { left: besideWidth(theme, spec, width) + 12, right: 24, top: 8, bottom: 26, containLabel: false }
        : undefined,
      xAxis: spec.horizontal ? value : category,
      yAxis: spec.horizontal ? category : value,
      tooltip: {
        trigger: 'item',
        formatter: item => tip(
          spec.categories[item.value[0]],
          item.seriesId === 'marks'
            ? [[item.seriesName, withUnit(item.value[1], spec.value)]]
            : describe(item.seriesName, item.value.slice(1))),
      },
      series: series.concat(marksSeries(theme, spec)),
    };
  };

  const whisker = (x, from, to, cap, style) => ({
    type: 'path',
    shape: { pathData: `M${x - cap},${from}H${x + cap}M${x},${from}V${to}M${x - cap},${to}H${x + cap}` },
    style: { ...style, fill: 'none' },
  });

  // A path with its own place and size: zrender would else stretch it into a given box.
  const symbolAt = (look, x, y, size, style) => ({
    type: 'path',
    shape: { pathData: look.symbol, x: x - size / 2, y: y - size / 2, width: size, height: size },
    style,
  });

  const barOption = (theme, spec, drawing, width) => {
    const series = spec.series.map((each, i) => {
      const look = lookOf(each.name);
      return {
        id: `main-${i}`,
        name: each.name,
        type: 'bar',
        dimensions: ['category', 'value', 'error'],
        encode: spec.horizontal ? { x: 1, y: 0 } : { x: 0, y: 1 },
        data: present(each.values),
        barGap: '12%',
        barCategoryGap: '28%',
        itemStyle: {
          color: look.colour,
          decal: look.pattern.decal ? { ...look.pattern.decal, color: mixed(theme.paper, look.colour, 0.6) } : undefined,
        },
        emphasis: { disabled: true },
      };
    });
    spec.series.forEach((each, i) => {
      const data = present(each.values).filter(value => value[2] !== null);
      if (data.length === 0) return;
      series.push({
        id: `error-${i}`,
        name: each.name,
        type: 'custom',
        silent: true,
        clip: true,
        dimensions: ['category', 'low', 'high'],
        encode: spec.horizontal ? { x: [1, 2], y: 0 } : { x: 0, y: [1, 2] },
        data: data.map(([category, value, error]) => [category, value - error, value + error]),
        renderItem: (parameters, api) => {
          const place = placeOf(spec, drawing, each.name, api);
          const low = at(spec, api, api.value(0), api.value(1));
          const high = at(spec, api, api.value(0), api.value(2));
          const cap = Math.min(5, place.width / 3);
          const ends = spec.horizontal
            ? `M${low[0]},${low[1] - cap}v${2 * cap}M${low[0]},${low[1]}H${high[0]}M${high[0]},${low[1] - cap}v${2 * cap}`
            : `M${low[0] - cap},${low[1]}h${2 * cap}M${low[0]},${low[1]}V${high[1]}M${low[0] - cap},${high[1]}h${2 * cap}`;
          return {
            type: 'group',
            x: spec.horizontal ? 0 : place.offsetCenter,
            y: spec.horizontal ? place.offsetCenter : 0,
            children: [[theme.paper, 4], [theme.ink, 1.5]].map(([stroke, lineWidth]) => (
              { type: 'path', shape: { pathData: ends }, style: { stroke, lineWidth, fill: 'none' } })),
          };
        },
        z: 4,
      });
    });
    return categoryOption(theme, spec, drawing, width, series, (name, [value, error]) => [
      [name, withUnit(value, spec.value) + (Number.isFinite(error) ? ` ±${shown(error)}` : '')],
    ]);
  };

  const intervalOption = (theme, spec, drawing, width) => {
    const series = spec.series.map((each, i) => {
      const look = lookOf(each.name);
      return {
        id: `main-${i}`,
        name: each.name,
        type: 'custom',
        clip: cutsValues(spec, 3),
        dimensions: ['category', 'mean', 'low', 'high'],
        encode: { x: 0, y: [1, 2, 3] },
        data: present(each.values),
        renderItem: (parameters, api) => {
          const place = placeOf(spec, drawing, each.name, api);
          const [x, mean] = at(spec, api, api.value(0), api.value(1));
          const low = at(spec, api, api.value(0), api.value(2))[1];
          const high = at(spec, api, api.value(0), api.value(3))[1];
          const cap = Math.min(6, place.width / 3);
          return {
            type: 'group',
            x: place.offsetCenter,
            children: [
              whisker(x, low, high, cap, { stroke: look.colour, lineWidth: 2 }),
              symbolAt(look, x, mean, 9, { fill: look.colour, stroke: theme.paper, lineWidth: 1 }),
            ],
          };
        },
        itemStyle: { color: look.colour },
        z: 3,
      };
    });
    return categoryOption(theme, spec, drawing, width, series, (name, [mean, low, high]) => [
      [name, `${withUnit(mean, spec.value)} [${shown(low)}, ${shown(high)}]`],
    ]);
  };

  const boxOption = (theme, spec, drawing, width) => {
    const series = spec.series.map((each, i) => {
      const look = lookOf(each.name);
      return {
        id: `main-${i}`,
        name: each.name,
        type: 'custom',
        clip: cutsValues(spec, 5),
        dimensions: ['category', 'low', 'lowerQuartile', 'median', 'upperQuartile', 'high', 'mean', 'outliers'],
        encode: { x: 0, y: [1, 2, 3, 4, 5, 6] },
        data: present(each.values),
        renderItem: (parameters, api) => {
          const place = placeOf(spec, drawing, each.name, api);
          const [low, lower, median, upper, high] = [1, 2, 3, 4, 5].map(k => at(spec, api, api.value(0), api.value(k)));
          const x = low[0];
          const half = Math.min(place.width, 36) / 2;
          const line = { stroke: look.colour, lineWidth: 1.5 };
          const children = [
            whisker(x, low[1], lower[1], half / 2, line),
            whisker(x, upper[1], high[1], half / 2, line),
            {
              type: 'rect',
              shape: { x: x - half, y: upper[1], width: 2 * half, height: lower[1] - upper[1] },
              style: { ...line, fill: mixed(look.colour, theme.paper, 0.3) },
            },
            { type: 'line', shape: { x1: x - half, x2: x + half, y1: median[1], y2: median[1] }, style: { stroke: look.colour, lineWidth: 3 } },
          ];
          if (Number.isFinite(api.value(6))) {
            const mean = at(spec, api, api.value(0), api.value(6))[1];
            children.push(symbolAt(look, x, mean, 9, { fill: look.colour, stroke: theme.paper, lineWidth: 1.5 }));
          }
          return { type: 'group', x: place.offsetCenter, children };
        },
        itemStyle: { color: look.colour },
        z: 3,
      };
    });
    return categoryOption(theme, spec, drawing, width, series, (name, [low, lower, median, upper, high, mean, outliers]) => [
      [name, ''],
      ['highest whisker', withUnit(high, spec.value)],
      ['upper quartile', withUnit(upper, spec.value)],
      ['median', withUnit(median, spec.value)],
      ['lower quartile', withUnit(lower, spec.value)],
      ['lowest whisker', withUnit(low, spec.value)],
      ...(Number.isFinite(mean) ? [['mean', withUnit(mean, spec.value)]] : []),
      ['beyond the whiskers', shown(outliers)],
    ]);
  };

  const edge = ([from, to, count], i) => from + (to - from) * i / count;

  const mostOf = spec => spec.cells.reduce((most, cell) => Math.max(most, cell[2]), 1);

  const heatOption = (theme, spec) => {
    const most = mostOf(spec);
    const level = count => spec.logarithmicColour ? Math.log10(count) : count;
    const axis = (one, bins) => (
      { ...valueAxis(theme, one, false), min: bins[0], max: bins[1], splitNumber: 5, splitLine: { show: false } });
    // With a seam in the colour of the paper, to be seen on dark and on light cells.
    const straight = (id, points) => [[theme.paper, 4, 0.7], [theme.ink, 1.5, 1]].map(([color, width, opacity]) => ({
      id: `${id}-${width}`,
      type: 'line',
      data: points,
      symbol: 'none',
      silent: true,
      tooltip: { show: false },
      lineStyle: { color, width, opacity, type: id === 'diagonal' && opacity === 1 ? [3, 3] : 'solid' },
      z: 4,
    }));
    const extra = [];
    if (spec.diagonal) {
      const from = Math.max(spec.xBins[0], spec.yBins[0]);
      const to = Math.min(spec.xBins[1], spec.yBins[1]);
      if (from < to) extra.push(...straight('diagonal', [[from, from], [to, to]]));
    }
    if (spec.quadrants) {
      const [x, y] = spec.quadrants.at;
      extra.push(...straight('vertical', [[x, spec.yBins[0]], [x, spec.yBins[1]]]));
      extra.push(...straight('horizontal', [[spec.xBins[0], y], [spec.xBins[1], y]]));
    }
    return {
      xAxis: axis(spec.x, spec.xBins),
      yAxis: axis(spec.y, spec.yBins),
      visualMap: {
        show: false,
        type: 'continuous',
        seriesId: 'main-0',
        dimension: 3,
        min: level(1),
        max: Math.max(level(most), level(1) + 1e-9),
        inRange: { color: theme.heat },
        seriesIndex: 0,
      },
      tooltip: {
        trigger: 'item',
        formatter: item => {
          const [x, y, count] = item.value;
          const range = (bins, i) => `${shown(edge(bins, i))} to ${shown(edge(bins, i + 1))}`;
          return tip(`${shown(count)} here`, [
            [spec.x.name, range(spec.xBins, x)],
            [spec.y.name, range(spec.yBins, y)],
          ]);
        },
      },
      series: [{
        id: 'main-0',
        type: 'custom',
        clip: true,
        dimensions: ['column', 'row', 'count', 'level'],
        // The axes are not those of the data, whose columns and rows are numbers of bins.
        encode: { x: -1, y: -1, tooltip: 2 },
        data: spec.cells.map(cell => [...cell, level(cell[2])]),
        renderItem: (parameters, api) => {
          const [x, y] = [api.value(0), api.value(1)];
          const low = api.coord([edge(spec.xBins, x), edge(spec.yBins, y)]);
          const high = api.coord([edge(spec.xBins, x + 1), edge(spec.yBins, y + 1)]);
          return {
            type: 'rect',
            // A little wider than they are, so that no seam is seen between neighbours.
            shape: { x: low[0], y: high[1], width: high[0] - low[0] + 0.4, height: low[1] - high[1] + 0.4 },
            style: { fill: api.visual('color') },
          };
        },
      }, ...extra],
    };
  };

  // Timelines: columns of numbers in typed arrays, of which each zoom paints what is in sight.

  const STATES = ['waiting', 'starting', 'running', 'paused', 'suspended', 'up'];
  const [WAITING, STARTING, RUNNING, , , UP] = STATES.keys();
  const KINDS = ['preempted', 'migrated', 'evicted', 'lost its host', 'host down'];
  const [PREEMPTION, MIGRATION] = KINDS.keys();
  const ENDS = ['completed', 'not ended', 'refused', 'cancelled'];

  const inflated = async text => {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer());
  };

  // Reads the columns in the order in which TimelineData writes them.
  const unpacked = async run => {
    const bytes = await inflated(run.data);
    let at = 0;
    const number = () => {
      let byte = bytes[at++];
      let value = byte & 127;
      for (let scale = 128; byte > 127; scale *= 128) {
        byte = bytes[at++];
        value += (byte & 127) * scale;
      }
      return value;
    };
    const column = (plus = 0) => {
      const made = new Int32Array(number());
      for (let i = 0; i < made.length; i++) made[i] = number() - plus;
      return made;
    };
    const ascending = () => {
      const made = column();
      for (let i = 1; i < made.length; i++) made[i] += made[i - 1];
      return made;
    };
    const decoder = new TextDecoder();
    const texts = () => {
      const count = number();
      const bounds = new Uint32Array(2 * count);
      for (let i = 0; i < count; i++) {
        const length = number();
        bounds[2 * i] = at;
        bounds[2 * i + 1] = at += length;
      }
      return { length: count, get: i => decoder.decode(bytes.subarray(bounds[2 * i], bounds[2 * i + 1])) };
    };
    Object.assign(run, {
      data: null, end: number(),
      hosts: texts(), lanes: column(),
      ids: texts(), serviceClass: column(), submitted: ascending(), life: column(), ended: column(), met: column(),
      state: column(), instance: column(1), host: column(1), lane: column(1), from: ascending(), to: column(),
      kind: column(), at: ascending(), who: column(1), other: column(1), where: column(1), wherein: column(1), why: column(1),
      reasons: texts(), selected: -1, surfaces: {},
    });
    for (let i = 0; i < run.to.length; i++) run.to[i] += run.from[i];
    run.first = new Int32Array(run.lanes.length + 1);
    run.lanes.forEach((lanes, i) => { run.first[i + 1] = run.first[i] + Math.max(1, lanes); });
    run.rows = Math.max(1, run.first[run.lanes.length]);
    run.row = new Int32Array(run.host.length);
    for (let i = 0; i < run.row.length; i++) run.row[i] = run.lane[i] < 0 ? -1 : run.first[run.host[i]] + run.lane[i];
    run.preemptions = run.kind.reduce((sum, kind) => sum + (kind === PREEMPTION ? 1 : 0), 0);
    return run;
  };

  // Times since the start, with as many parts as matter: 3d 04:05, 04:05:06, 5.25 s.
  const elapsed = (seconds, step = 0) => {
    if (seconds < 60 && step < 60) return significant.format(Math.round(seconds * 1e3) / 1e3) + ' s';
    const rounded = Math.round(seconds);
    const two = value => String(value).padStart(2, '0');
    const days = Math.floor(rounded / 86400);
    const clock = `${two(Math.floor(rounded / 3600) % 24)}:${two(Math.floor(rounded / 60) % 60)}`;
    return (days ? `${days}d ` : '') + clock + (rounded % 60 || (!days && step < 60) ? ':' + two(rounded % 60) : '');
  };

  // A canvas to paint on, the same one as long as its size is: making one takes longer than painting.
  const surface = (run, name, box) => {
    const scale = devicePixelRatio || 1;
    const width = Math.max(1, Math.round(box.width * scale));
    const height = Math.max(1, Math.round(box.height * scale));
    let made = run.surfaces[name];
    if (!made || made.canvas.width !== width || made.canvas.height !== height) {
      const canvas = element('canvas', { width, height });
      made = { canvas, pen: canvas.getContext('2d') };
      run.surfaces[name] = made;
    }
    made.pen.setTransform(scale, 0, 0, scale, 0, 0);
    made.pen.globalAlpha = 1;
    made.pen.clearRect(0, 0, box.width, box.height);
    return made;
  };

  const rgb = text => text.match(/[\d.]+/g).map(Number);

  // Paints the part of the hosts that is in sight. A bar that is too small for a rectangle adds to the
  // shade of its cell: the share of time in which the lanes there were taken, in the colours of those there.
  const paintHosts = (drawing, run, box, kx, bx, ky, by) => {
    const { spec, theme } = drawing;
    const { canvas, pen } = surface(run, 'hosts', box);
    const colours = spec.series.map(each => lookOf(each.name).colour);
    const parts = colours.map(rgb);
    const off = spec.series.map(each => drawing.off.has(each.name));
    const columns = Math.ceil(box.width);
    const high = Math.max(ky, 3);
    const bands = Math.ceil(box.height / high) + 2; // with one above, of which a part may be in sight
    let cells = null;
    const bars = colours.map(() => []);
    const { state, instance, host, row, from, to, serviceClass } = run;
    pen.fillStyle = theme.raised;
    for (let i = 0; i < state.length; i++) {
      const left = from[i] * kx + bx;
      const right = to[i] * kx + bx;
      if (right < 0 || left > box.width || state[i] === WAITING) continue;
      if (state[i] === UP) {
        const top = run.first[host[i]] * ky + by;
        pen.fillRect(left, top, right - left, (run.first[host[i] + 1] - run.first[host[i]]) * ky - (ky > 3 ? 1 : 0));
        continue;
      }
      const top = row[i] * ky + by;
      const its = serviceClass[instance[i]];
      if (top + ky < 0 || top > box.height || off[its]) continue;
      if (right - left >= 1 && ky >= 3) {
        bars[its].push(i);
        continue;
      }
      if (!cells) {
        const size = bands * columns * colours.length;
        cells = run.cells?.length === size ? run.cells.fill(0) : new Float32Array(size);
        run.cells = cells;
      }
      const band = Math.min(bands - 1, Math.max(0, Math.floor(top / high) + 1));
      const share = Math.min(1, ky / high);
      for (let x = Math.max(0, Math.floor(left)); x < columns && x < right; x++) {
        const covered = Math.min(right, x + 1) - Math.max(left, x);
        cells[(band * columns + x) * colours.length + its] += Math.max(covered, 0.02) * share;
      }
    }
    if (cells) {
      const shades = new ImageData(columns, bands);
      const pixels = shades.data;
      for (let i = 0, k = 0; i < pixels.length; i += 4) {
        let sum = 0;
        let red = 0;
        let green = 0;
        let blue = 0;
        for (let c = 0; c < parts.length; c++, k++) {
          const amount = cells[k];
          if (amount === 0) continue;
          sum += amount;
          red += parts[c][0] * amount;
          green += parts[c][1] * amount;
          blue += parts[c][2] * amount;
        }
        if (sum > 0) {
          pixels[i] = red / sum;
          pixels[i + 1] = green / sum;
          pixels[i + 2] = blue / sum;
          pixels[i + 3] = 255 * Math.min(1, 0.12 + 0.88 * sum);
        }
      }
      if (run.shades?.width !== columns || run.shades?.height !== bands) run.shades = element('canvas', { width: columns, height: bands });
      run.shades.getContext('2d').putImageData(shades, 0, 0);
      pen.imageSmoothingEnabled = false;
      const offset = ky >= 3 ? by - Math.floor(by / ky) * ky : 0;
      pen.drawImage(run.shades, 0, offset - high, columns, bands * high);
    }
    const gap = ky >= 5 ? 1 : 0;
    const named = ky >= 12;
    pen.font = `10px ${theme.font}`;
    pen.textBaseline = 'middle';
    bars.forEach((its, k) => {
      for (const i of its) {
        const left = Math.max(-2, from[i] * kx + bx);
        const width = Math.min(box.width + 2, to[i] * kx + bx) - left - (gap && to[i] * kx + bx - left > 3 ? 0.5 : 0);
        const top = row[i] * ky + by;
        const running = state[i] === RUNNING;
        pen.globalAlpha = running ? 1 : 0.4;
        pen.fillStyle = colours[k];
        const thin = state[i] > RUNNING ? (ky - gap) * 0.35 : 0;
        pen.fillRect(left, top + thin, width, ky - gap - 2 * thin);
        pen.globalAlpha = 1;
        if (ky >= 3.5 && running && !run.met[instance[i]]) {
          const thick = ky >= 6 ? 2 : 1;
          pen.fillStyle = theme.ink;
          pen.fillRect(left, top + ky - gap - thick, width, thick);
        }
        if (named && running && width > 50) {
          const name = run.ids.get(instance[i]);
          if (pen.measureText(name).width < width - 8) {
            pen.fillStyle = theme.paper;
            pen.fillText(name, left + 4, top + (ky - gap) / 2);
          }
        }
      }
    });
    drawing.bars += bars.reduce((sum, its) => sum + its.length, 0);
    const seen = [];
    for (let i = 0; i < run.kind.length; i++) {
      const x = run.at[i] * kx + bx;
      if (run.who[i] < 0 || x < -5 || x > box.width + 5 || run.where[i] < 0 || off[serviceClass[run.who[i]]]) continue;
      const y = (run.first[run.where[i]] + run.wherein[i]) * ky + by;
      if (y + ky >= 0 && y <= box.height) seen.push([i, x, y]);
    }
    const few = seen.length <= 1500;
    const half = Math.min(4.5, Math.max(2.5, ky / 2));
    for (const [i, x, y] of seen) {
      const middle = y + Math.max(ky - gap, 1) / 2;
      if (!few) {
        pen.fillStyle = theme.ink;
        pen.globalAlpha = 0.35;
        pen.fillRect(x, y, 1, Math.max(1, ky - gap));
        pen.globalAlpha = 1;
        continue;
      }
      pen.beginPath();
      if (run.kind[i] === PREEMPTION) {
        pen.moveTo(x - half, middle - half); pen.lineTo(x + half, middle - half); pen.lineTo(x, middle + half);
      } else if (run.kind[i] === MIGRATION) {
        pen.moveTo(x - half, middle - half); pen.lineTo(x + half, middle); pen.lineTo(x - half, middle + half);
      } else {
        pen.rect(x - half * 0.7, middle - half * 0.7, half * 1.4, half * 1.4);
      }
      pen.closePath();
      pen.fillStyle = theme.ink;
      pen.strokeStyle = theme.paper;
      pen.lineWidth = 1;
      pen.fill();
      pen.stroke();
    }
    if (run.selected >= 0 && row[run.selected] >= 0) {
      const left = from[run.selected] * kx + bx;
      pen.strokeStyle = theme.ink;
      pen.lineWidth = 2;
      pen.strokeRect(left - 1, row[run.selected] * ky + by - 1, Math.max(3, to[run.selected] * kx + bx - left + 2), Math.max(4, ky + 1));
    }
    return canvas;
  };

  // How many requests wait, by class, as stacked columns; with the greatest number in sight.
  const paintWaiting = (drawing, run, box, kx, bx) => {
    const { spec, theme } = drawing;
    const { canvas, pen } = surface(run, 'waiting', box);
    const columns = Math.ceil(box.width);
    // Differences between neighbours, and what only part of a column has.
    const counts = spec.series.map(() => new Float64Array(columns + 2));
    const shares = spec.series.map(() => new Float64Array(columns + 2));
    for (let i = 0; i < run.state.length; i++) {
      if (run.state[i] !== WAITING) continue;
      const left = Math.max(0, run.from[i] * kx + bx);
      const right = Math.min(columns, run.to[i] * kx + bx);
      if (right <= left) continue;
      const its = run.serviceClass[run.instance[i]];
      const [a, b] = [Math.floor(left), Math.floor(right)];
      counts[its][a + 1] += 1;
      counts[its][b + 1] -= 1;
      shares[its][a] += a + 1 - left;
      shares[its][b] -= b + 1 - right;
    }
    const sums = new Float64Array(columns);
    const values = spec.series.map((each, k) => {
      const made = new Float64Array(columns);
      if (drawing.off.has(each.name)) return made;
      let whole = 0;
      for (let x = 0; x < columns; x++) {
        whole += counts[k][x];
        made[x] = Math.max(0, whole + shares[k][x]);
        sums[x] += made[x];
      }
      return made;
    });
    const most = sums.reduce((a, b) => Math.max(a, b), 0);
    pen.fillStyle = theme.raised;
    pen.fillRect(0, 0, box.width, box.height);
    const below = new Float64Array(columns);
    values.forEach((made, k) => {
      pen.fillStyle = lookOf(spec.series[k].name).colour;
      for (let x = 0; x < columns; x++) {
        if (made[x] <= 0) continue;
        const high = made[x] / most * box.height;
        pen.fillRect(x, box.height - below[x] - high, 1, high);
        below[x] += high;
      }
    });
    return [canvas, most];
  };

  const BAND = 46;
  const hostsHeight = (run, width) => Math.max(70, Math.min(width < 500 ? 220 : 300, run.rows * 16));
  const timelineHeight = (spec, width) => spec.runs.reduce((sum, run) => sum + 30 + hostsHeight(run, width) + 6 + BAND, 62);

  const timelineOption = (theme, spec, drawing, width) => {
    drawing.theme = theme;
    drawing.bars = 0;
    const end = Math.max(...spec.runs.map(run => run.end * run.unit * 1e3));
    const left = width < 500 ? 58 : 96;
    const option = { useUTC: true, title: [], grid: [], xAxis: [], yAxis: [], series: [] };
    let top = 0;
    spec.runs.forEach((run, i) => {
      const high = hostsHeight(run, width);
      const missed = run.met.reduce((sum, met) => sum + (met ? 0 : 1), 0);
      option.title.push({
        text: `{a|${run.name}}  ${whole.format(run.ids.length - missed)} of ${whole.format(run.ids.length)} met their objective, ${whole.format(run.preemptions)} preemptions`,
        left: 0, top: top + 6, padding: 0,
        textStyle: { fontSize: width < 500 ? 11 : 12, fontWeight: 'normal', color: theme.muted, width, overflow: 'truncate',
          rich: { a: { fontSize: 13, fontWeight: 600, color: theme.ink } } },
      });
      const last = i === spec.runs.length - 1;
      [[top + 30, high], [top + 36 + high, BAND]].forEach(([from, size], k) => {
        const index = 2 * i + k;
        option.grid.push({ left, right: 14, top: from, height: size, containLabel: false });
        option.xAxis.push({
          type: 'time', gridIndex: index, min: 0, max: end,
          ...lines(theme),
          axisLabel: { ...lines(theme).axisLabel, show: last && k === 1, alignMaxLabel: 'right', formatter: value => elapsed(value / 1e3, end / 1e4) },
          axisTick: { show: last && k === 1, lineStyle: { color: theme.muted } },
          splitLine: { show: true, lineStyle: { color: theme.faint } },
          splitNumber: width < 500 ? 3 : 8,
        });
        option.yAxis.push({
          type: 'value', gridIndex: index, min: 0, max: k ? 1 : run.rows, inverse: !k, show: false,
        });
        option.series.push({
          id: `${k ? 'waiting' : 'hosts'}-${i}`,
          type: 'custom', xAxisIndex: index, yAxisIndex: index, data: [[0, 0]], silent: true,
          renderItem: (parameters, api) => {
            const box = parameters.coordSys;
            const origin = api.coord([0, 0]);
            const corner = api.coord([end, k ? 1 : run.rows]);
            const kx = (corner[0] - origin[0]) / end * run.unit * 1e3;
            const label = (text, y, colour = theme.muted) => ({
              type: 'text',
              style: { text, x: box.x - 6, y, align: 'right', verticalAlign: 'middle', fill: colour, font: `11px ${theme.font}`, width: left - 10, overflow: 'truncate' },
            });
            if (k) {
              const [image, most] = paintWaiting(drawing, run, box, kx, origin[0] - box.x);
              return { type: 'group', children: [
                { type: 'image', style: { image, x: box.x, y: box.y, width: box.width, height: box.height } },
                label('waiting', box.y + box.height - 8), label(`max ${shown(Math.ceil(most))}`, box.y + 7),
              ] };
            }
            const ky = (corner[1] - origin[1]) / run.rows;
            const image = paintHosts(drawing, run, box, kx, origin[0] - box.x, ky, origin[1] - box.y);
            const labels = [];
            let free = box.y;
            for (let h = 0; h < run.hosts.length; h++) {
              const y = origin[1] + (run.first[h] + run.first[h + 1]) / 2 * ky;
              if (y - 7 >= free && y + 7 <= box.y + box.height) {
                labels.push(label(run.hosts.get(h), y));
                free = y + 7;
              }
            }
            return { type: 'group', children: [
              { type: 'image', style: { image, x: box.x, y: box.y, width: box.width, height: box.height } }, ...labels] };
          },
        });
      });
      top += 36 + high + BAND;
    });
    const all = option.xAxis.map((_, i) => i);
    const wheel = drawing.plot.contains(document.activeElement) ? true : 'ctrl';
    option.dataZoom = [
      { id: 'time', type: 'inside', xAxisIndex: all, filterMode: 'none', zoomOnMouseWheel: wheel, moveOnMouseMove: true, preventDefaultMouseMove: false, minSpan: 0.0005, ...drawing.zoom },
      { id: 'slider', type: 'slider', xAxisIndex: all, filterMode: 'none', left, right: 14, bottom: 8, height: 18, minSpan: 0.0005,
        showDetail: false, showDataShadow: false, brushSelect: false, borderColor: theme.rule, fillerColor: 'rgba(128,128,128,.18)',
        handleStyle: { color: theme.paper, borderColor: theme.muted }, moveHandleStyle: { color: theme.muted }, ...drawing.zoom },
      ...spec.runs.map((run, i) => (
        { id: `hosts-${i}`, type: 'inside', yAxisIndex: 2 * i, filterMode: 'none', zoomOnMouseWheel: 'shift', moveOnMouseMove: true, preventDefaultMouseMove: false, ...drawing.rows[i] })),
    ];
    option.tooltip = { show: false };
    return option;
  };

  // What is known of one span, as names and texts.
  const aboutSpan = (spec, run, span) => {
    const instance = run.instance[span];
    const seconds = value => elapsed(value * run.unit);
    const its = spec.series[run.serviceClass[instance]];
    let service = 0;
    let stays = 0;
    for (let i = 0; i < run.state.length; i++) {
      if (run.instance[i] !== instance) continue;
      if (run.state[i] === RUNNING) service += run.to[i] - run.from[i];
      if (run.state[i] === STARTING) stays++;
    }
    const life = run.life[instance];
    const rows = [
      ['class', its.name],
      ['host', run.hosts.get(run.host[span])],
      [STATES[run.state[span]], `${seconds(run.from[span])} to ${seconds(run.to[span])}`],
      ['availability', life ? `${significant.format(Math.round(service / life * 1e4) / 1e4)}, objective ${its.slo}: ${run.met[instance] ? 'met' : 'missed'}` : '–'],
      ['submitted', seconds(run.submitted[instance])],
      ['life', `${seconds(run.submitted[instance] + life)}, ${ENDS[run.ended[instance]]}; ${stays} start${stays === 1 ? '' : 's'}`],
    ];
    for (let i = 0; i < run.kind.length; i++) {
      if (run.who[i] !== instance || run.at[i] < run.from[span] || run.at[i] > run.to[span]) continue;
      const by = run.other[i] < 0 ? '' : ` for ${run.ids.get(run.other[i])} (${spec.series[run.serviceClass[run.other[i]]].name})`;
      const why = run.why[i] < 0 ? '' : `: ${run.reasons.get(run.why[i])}`;
      rows.push([KINDS[run.kind[i]], `at ${seconds(run.at[i])}${by}${why}`]);
    }
    return rows;
  };

  // The span under a point of a run's grid, -1 for none; of several in the same pixel the longest.
  const spanAt = (run, time, row, slack) => {
    let found = -1;
    for (let i = 0; i < run.row.length; i++) {
      if (run.row[i] === row && run.from[i] - slack <= time && time < run.to[i] + slack
        && (found < 0 || run.to[i] - run.from[i] > run.to[found] - run.from[found])) found = i;
    }
    return found;
  };

  const shellWord = text => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

  const behaveAsTimeline = (figure, drawing) => {
    const { spec, plot, chart } = drawing;
    const details = element('div', { class: 'picked', 'aria-live': 'polite' },
      element('p', {}, 'Select a bar for what happened to its instance. Keys: ← → move, + − zoom, 0 all, n and p the next and previous preemption. ' +
        'A wheel zooms once the picture has the focus, or with Ctrl; with Shift it zooms the hosts.'));
    figure.querySelector('.below').append(details);
    const bubble = element('div', { class: 'tip bubble', hidden: '' });
    plot.append(bubble);
    plot.tabIndex = 0;
    plot.setAttribute('role', 'application');
    const under = (x, y) => {
      for (let i = 0; i < spec.runs.length; i++) {
        if (!chart.containPixel({ gridIndex: 2 * i }, [x, y])) continue;
        const run = spec.runs[i];
        const [time, row] = chart.convertFromPixel({ xAxisIndex: 2 * i, yAxisIndex: 2 * i }, [x, y]);
        const next = chart.convertFromPixel({ xAxisIndex: 2 * i, yAxisIndex: 2 * i }, [x + 1, y])[0];
        const perUnit = run.unit * 1e3;
        return [run, spanAt(run, time / perUnit, Math.floor(row), (next - time) / perUnit)];
      }
      return [null, -1];
    };
    const pick = (run, span) => {
      spec.runs.forEach(each => { each.selected = -1; });
      run.selected = span;
      const id = run.ids.get(run.instance[span]);
      const list = element('dl', { class: 'facts' });
      for (const [name, text] of aboutSpan(spec, run, span)) list.append(element('dt', {}, name), element('dd', {}, isolated(text)));
      const parts = [element('h4', {}, isolated(id), ` under ${run.name}`), list];
      const explain = (question, at) => {
        const seconds = Math.ceil((at + 1) * run.unit * 1e3) / 1e3;
        const command = run.explain.replace('{id}', () => shellWord(id)).replace('{at}', () => `${seconds}s`);
        parts.push(element('p', {}, question), element('pre', { tabindex: '0' }, command));
      };
      if (run.explain) {
        explain('Why it was placed here:', run.from[span]);
        if (run.kind.some((kind, i) => kind === PREEMPTION && run.who[i] === run.instance[span] && run.at[i] === run.to[span])) {
          explain('Why it was preempted:', run.to[span]);
        }
      }
      details.replaceChildren(...parts);
      draw(drawing);
    };
    let waitsFor = null;
    chart.getZr().on('mousemove', event => {
      if (!waitsFor) requestAnimationFrame(() => {
        const [x, y] = waitsFor;
        waitsFor = null;
        const [run, span] = under(x, y);
        bubble.hidden = span < 0;
        if (span < 0) return;
        bubble.replaceChildren(...tip(run.ids.get(run.instance[span]), aboutSpan(spec, run, span)).childNodes);
        bubble.style.left = `${Math.max(0, Math.min(x + 14, plot.clientWidth - bubble.offsetWidth - 4))}px`;
        bubble.style.top = `${y + 18}px`;
      });
      waitsFor = [event.offsetX, event.offsetY];
    });
    chart.getZr().on('globalout', () => { bubble.hidden = true; });
    chart.getZr().on('click', event => {
      plot.focus({ preventScroll: true });
      const [run, span] = under(event.offsetX, event.offsetY);
      if (span >= 0) pick(run, span);
    });
    chart.on('datazoom', () => {
      const zooms = chart.getOption().dataZoom;
      drawing.zoom = { start: zooms[0].start, end: zooms[0].end };
      drawing.rows = zooms.slice(2).map(each => ({ start: each.start, end: each.end }));
    });
    const wheel = () => chart.setOption({ dataZoom: [{ id: 'time', zoomOnMouseWheel: document.activeElement === plot ? true : 'ctrl' }] });
    plot.addEventListener('focus', wheel);
    plot.addEventListener('blur', wheel);
    const zoomTo = (start, size) => {
      const width = Math.min(100, Math.max(0.05, size));
      const from = Math.min(100 - width, Math.max(0, start));
      chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, start: from, end: from + width });
    };
    drawing.zoomTo = zoomTo;
    let place = [0, -1];
    const step = by => {
      let [i, mark] = place;
      do {
        mark += by;
        if (mark < 0 || mark >= spec.runs[i].kind.length) {
          i = (i + by + spec.runs.length) % spec.runs.length;
          mark = by > 0 ? 0 : spec.runs[i].kind.length - 1;
          if (i === place[0] && !spec.runs.some(run => run.preemptions)) return;
        }
      } while (spec.runs[i].kind[mark] !== PREEMPTION);
      place = [i, mark];
      const run = spec.runs[i];
      const { start, end } = drawing.zoom;
      zoomTo(run.at[mark] / run.end * 100 - (end - start) / 2, end - start);
      const span = spanAt(run, run.at[mark] - 0.5, run.first[run.where[mark]] + run.wherein[mark], 1);
      if (span >= 0) pick(run, span);
    };
    plot.addEventListener('keydown', event => {
      const { start, end } = drawing.zoom;
      const size = end - start;
      const keys = {
        ArrowLeft: () => zoomTo(start - size / 4, size),
        ArrowRight: () => zoomTo(start + size / 4, size),
        '+': () => zoomTo(start + size / 4, size / 2),
        '=': () => zoomTo(start + size / 4, size / 2),
        '-': () => zoomTo(start - size / 2, size * 2),
        0: () => zoomTo(0, 100),
        n: () => step(1),
        p: () => step(-1),
      };
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
  };

  const rowsOfTimeline = (spec, most) => {
    const rows = [['run', 'instance', 'class', 'state', 'host', 'lane', 'from (s)', 'to (s)', 'met']];
    for (const run of spec.runs) {
      const its = Math.min(run.state.length, Math.ceil(most / spec.runs.length));
      for (let i = 0; i < its; i++) {
        const instance = run.instance[i];
        rows.push([run.name, instance < 0 ? null : run.ids.get(instance), instance < 0 ? null : spec.series[run.serviceClass[instance]].name,
          STATES[run.state[i]], run.host[i] < 0 ? null : run.hosts.get(run.host[i]), run.lane[i] < 0 ? null : run.lane[i],
          run.from[i] * run.unit, run.to[i] * run.unit, instance < 0 ? null : Boolean(run.met[instance])]);
      }
    }
    return rows;
  };

  const options = {
    line: lineOption, scatter: scatterOption, bar: barOption, interval: intervalOption, box: boxOption, heat: heatOption,
    timeline: timelineOption,
  };

  const parts = {
    bar: ['value', 'error'],
    interval: ['mean', 'low', 'high'],
    box: ['low', 'lower quartile', 'median', 'upper quartile', 'high', 'mean', 'outliers'],
  };

  const rowsOf = (spec, most = Infinity) => {
    if (spec.kind === 'timeline') return rowsOfTimeline(spec, most);
    if (spec.kind === 'heat') {
      return [['x from', 'x to', 'y from', 'y to', 'count'], ...spec.cells.map(([x, y, count]) => [
        edge(spec.xBins, x), edge(spec.xBins, x + 1), edge(spec.yBins, y), edge(spec.yBins, y + 1), count])];
    }
    if (spec.kind in parts) {
      const rows = [['series', spec.category, ...parts[spec.kind]]];
      for (const each of spec.series) {
        each.values.forEach((value, i) => { if (value) rows.push([each.name, spec.categories[i], ...value]); });
      }
      if (spec.marks) {
        spec.marks.values.forEach((value, i) => {
          if (value !== null) rows.push([spec.marks.name, spec.categories[i], value, ...parts[spec.kind].slice(1).map(() => null)]);
        });
      }
      return rows;
    }
    const banded = spec.series.some(each => each.band);
    const rows = [['series', axisTitle(spec.x), axisTitle(spec.y), ...(banded ? ['low', 'high'] : [])]];
    for (const each of spec.series) {
      each.points.forEach((point, i) => rows.push([each.name, ...point, ...(banded ? (each.band ? each.band[i] : [null, null]) : [])]));
    }
    return rows;
  };

  const rowsOfTable = table => {
    const uncertain = table.columns.map((column, i) => table.rows.some(row => 'uncertainty' in row[i]));
    const wide = cells => cells.flatMap((cell, i) => uncertain[i] ? cell : cell.slice(0, 1));
    return [
      wide(table.columns.map(column => [axisTitle(column), axisTitle(column) + ' ±'])),
      ...table.rows.map(row => wide(row.map(cell => ['number' in cell ? cell.number : cell.text, cell.uncertainty ?? null]))),
    ];
  };

  const csv = rows => rows.map(row => row.map(value => {
    const text = value === null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }).join(',')).join('\r\n') + '\r\n';

  const csvOf = id => {
    const table = page.tables.find(each => each.id === id);
    return csv(table ? rowsOfTable(table) : rowsOf(page.charts.find(each => each.id === id)));
  };

  const linkTo = (mediaType, content) => URL.createObjectURL(new Blob([content], { type: mediaType + ';charset=utf-8' }));

  const saveButtons = (figure, spec) => {
    const button = (label, name, make) => {
      const made = element('button', { type: 'button', 'aria-label': `Save ${name}` }, label);
      made.addEventListener('click', () => {
        const link = element('a', { href: make(), download: name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      });
      return made;
    };
    figure.querySelector('.save').append(
      button('CSV', spec.id + '.csv', () => linkTo('text/csv', csvOf(spec.id))),
      ...(spec.kind === 'timeline' ? [] : [button('JSON', spec.id + '.json', () => linkTo('application/json', JSON.stringify(spec, null, 1)))]));
  };

  // A picture's numbers as a table, made when it is unfolded.
  const MOST_ROWS = 500;
  const tableBehind = (figure, spec) => {
    const folded = element('details', { class: 'behind' }, element('summary', {}, 'As a table'));
    folded.addEventListener('toggle', () => {
      if (folded.children.length > 1) return;
      const [heads, ...rows] = rowsOf(spec, MOST_ROWS);
      const body = element('tbody');
      for (const row of rows.slice(0, MOST_ROWS)) {
        body.append(element('tr', {}, ...row.map(value => element('td', typeof value === 'number' ? { class: 'end' } : {},
          value === null ? '' : typeof value === 'number' ? shown(value) : isolated(String(value))))));
      }
      folded.append(element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': spec.title },
        element('table', {}, element('caption', {}, rows.length < MOST_ROWS ? spec.title : `${spec.title}: the first rows, all are in the CSV`),
          element('thead', {}, element('tr', {}, ...heads.map(head => element('th', { scope: 'col' }, isolated(head))))), body)));
    });
    figure.append(folded);
  };

  // What stands around a chart.

  const swatch = (kind, name, place = 0) => {
    const look = lookOf(name);
    const paint = `var(--${look.variable})`;
    const box = svg('svg', { width: kind === 'line' ? 28 : 18, height: 12, 'aria-hidden': 'true' });
    const dash = look.dash === 'solid' ? '' : `stroke-dasharray: ${look.dash.join(' ')}`;
    if (kind === 'area') {
      box.append(
        svg('rect', { width: 18, height: 12, style: `fill: color-mix(in srgb, ${paint} ${shade(place) * 100}%, var(--paper))` }),
        svg('path', { d: 'M0,1H18', style: `stroke: ${paint}; stroke-width: 2; ${dash}` }));
      return box;
    }
    if (kind === 'bar') {
      box.append(svg('rect', { width: 18, height: 12, style: `fill: ${paint}` }));
      if (look.pattern.strokes) {
        box.append(svg('path', { d: look.pattern.strokes, style: 'stroke: var(--paper); stroke-width: 1.6; opacity: .75; fill: none' }));
      }
      return box;
    }
    if (kind === 'block') {
      box.append(svg('rect', { width: 18, height: 12, style: `fill: ${paint}` }));
      return box;
    }
    if (kind === 'line') {
      box.append(svg('path', { d: 'M0,6H28', style: `stroke: ${paint}; stroke-width: 2; ${dash}` }));
    }
    box.append(svg('path', {
      d: look.symbol,
      transform: kind === 'line' ? 'translate(9.5 1.5) scale(.9)' : 'translate(4 1)',
      style: `fill: ${paint}`,
    }));
    return box;
  };

  const swatchKind = spec => spec.kind === 'timeline' ? 'block' : spec.kind === 'bar' ? 'bar' : spec.kind !== 'line' ? 'point' : spec.style.startsWith('stacked') ? 'area' : 'line';

  const surroundings = (figure, spec, drawing) => {
    const legend = figure.querySelector('.legend');
    const above = figure.querySelector('.above');
    const below = figure.querySelector('.below');
    (spec.series || []).forEach((each, i) => {
      const button = element('button', { type: 'button', 'aria-pressed': 'true' }, swatch(swatchKind(spec), each.name, i), isolated(each.name));
      button.addEventListener('click', () => {
        const off = drawing.off.has(each.name);
        drawing.off[off ? 'delete' : 'add'](each.name);
        button.setAttribute('aria-pressed', String(off));
        draw(drawing);
      });
      legend.append(button);
    });
    if (spec.marks) {
      const box = svg('svg', { width: 18, height: 12, 'aria-hidden': 'true' },
        svg('path', { d: 'M0,6H18', style: 'stroke: var(--ink); stroke-width: 2; stroke-dasharray: 6 3' }));
      legend.append(element('span', { class: 'fixed' }, box, isolated(spec.marks.name)));
    }
    if (spec.kind === 'timeline') {
      const sign = (d, text) => element('span', { class: 'fixed' },
        svg('svg', { width: 12, height: 12, 'aria-hidden': 'true' }, svg('path', { d, style: 'fill: var(--ink)' })), text);
      legend.append(sign('M1,2H11L6,11Z', 'preempted'), sign('M2,1V11L11,6Z', 'migrated'), sign('M2,2H10V10H2Z', 'lost or evicted'),
        sign('M0,9H12V11H0Z', 'missed its objective'), element('span', { class: 'fixed' }, 'pale: starting; thin: paused or suspended'));
    }
    if (spec.kind === 'heat') {
      const most = mostOf(spec);
      legend.append(element('span', { class: 'scale' }, '1', element('i'),
        `${shown(most)} in a cell${spec.logarithmicColour ? ' (logarithmic)' : ''}`));
    }
    const corner = (sign, quadrant, after) => {
      const share = element('b', {}, significant.format(Math.round(quadrant.share * 1000) / 10) + ' %');
      return element('span', {}, ...(after ? [isolated(quadrant.label), ' ', share, ` ${sign}`] : [`${sign} `, share, ' ', isolated(quadrant.label)]));
    };
    const category = { name: spec.category, unit: '' };
    if (spec.kind === 'timeline') return;
    const x = spec.x || (spec.horizontal ? spec.value : category);
    const y = spec.y || (spec.horizontal ? category : spec.value);
    above.append(element('div', { class: 'axis' }, '↑ ', isolated(axisTitle(y))));
    below.append(element('div', { class: 'axis' }, isolated(axisTitle(x)), ' →'));
    if (spec.quadrants) {
      const { upperLeft, upperRight, lowerLeft, lowerRight } = spec.quadrants;
      above.append(element('div', { class: 'corners' }, corner('↖', upperLeft), corner('↗', upperRight, true)));
      below.prepend(element('div', { class: 'corners' }, corner('↙', lowerLeft), corner('↘', lowerRight, true)));
    }
  };

  const draw = drawing => {
    const { spec, chart, plot } = drawing;
    const theme = palette();
    const base = baseOption(theme, drawing);
    const own = options[spec.kind](theme, spec, drawing, spec.kind === 'timeline' ? plot.clientWidth : plot.clientWidth - 60);
    chart.setOption(
      { ...base, ...own, grid: Array.isArray(own.grid) ? own.grid : { ...base.grid, ...own.grid }, tooltip: { ...base.tooltip, ...own.tooltip } },
      { notMerge: true });
  };

  const start = async spec => {
    const figure = document.getElementById(spec.id);
    const plot = figure.querySelector('.plot');
    const drawing = { spec, plot, off: new Set(), chart: null };
    try {
      if (spec.kind === 'timeline') {
        for (const run of spec.runs) await unpacked(run);
        Object.assign(drawing, { zoom: { start: 0, end: 100 }, rows: [] });
        plot.style.height = `${timelineHeight(spec, plot.clientWidth)}px`;
      }
      figure.dataset.kind = spec.kind;
      surroundings(figure, spec, drawing);
      saveButtons(figure, spec);
      tableBehind(figure, spec);
      if (spec.horizontal) {
        plot.style.height = `${60 + spec.categories.length * Math.max(30, 12 + 16 * spec.series.length)}px`;
      }
      drawing.chart = echarts.init(plot, null, { renderer: spec.kind === 'timeline' ? 'canvas' : 'svg' });
      drawing.chart.on('finished', () => { figure.dataset.drawn = 'true'; });
      if (spec.kind === 'timeline') behaveAsTimeline(figure, drawing);
      draw(drawing);
      drawings.set(spec.id, drawing);
      let width = plot.clientWidth;
      new ResizeObserver(() => {
        if (plot.clientWidth === width) return;
        width = plot.clientWidth;
        drawing.chart.resize();
        draw(drawing);
      }).observe(plot);
    } catch (error) {
      figure.dataset.drawn = 'failed';
      if (drawing.chart) drawing.chart.dispose();
      plot.replaceWith(
        element('p', { class: 'failed' }, `This chart could not be drawn: ${error.message}`));
      console.error(`Chart ${spec.id} could not be drawn`, error);
    }
  };

  // The numbers that the charting library holds, in the order of the chart's series.
  const held = id => drawings.get(id).chart.getModel().getSeries()
    .filter(series => series.id.startsWith('main-'))
    .map(series => {
      const data = series.getData();
      return Array.from({ length: data.count() }, (_, i) => data.dimensions.map(dimension => data.get(dimension, i)));
    });

  // Tables.

  const sortable = table => {
    const figure = document.getElementById(table.id);
    const bodies = [...figure.querySelectorAll('tbody')];
    const rows = bodies.flatMap(body => [...body.rows].filter(row => !row.classList.contains('group')));
    const bodyOf = rows.map(row => row.parentNode);
    const heads = [...figure.querySelectorAll('thead th')];
    const key = (row, column) => {
      const cell = table.rows[row][column];
      return 'number' in cell ? cell.number : cell.text;
    };
    const compare = (a, b) => typeof a !== typeof b ? (typeof a === 'number' ? -1 : 1) : a < b ? -1 : a > b ? 1 : 0;
    heads.forEach((head, column) => head.querySelector('button').addEventListener('click', () => {
      const descending = head.getAttribute('aria-sort') === 'ascending';
      heads.forEach(each => each.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      const order = rows.map((_, i) => i).sort((a, b) => compare(key(a, column), key(b, column)) || a - b);
      // Rows stay below the title of their group.
      (descending ? order.reverse() : order).forEach(i => bodyOf[i].append(rows[i]));
    }));
    saveButtons(figure, table);
    const scroll = figure.querySelector('.scroll');
    const hint = () => { figure.querySelector('.hint').hidden = scroll.scrollWidth <= scroll.clientWidth; };
    new ResizeObserver(hint).observe(scroll);
    hint();
  };

  // Light and dark.

  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const button = document.querySelector('.theme');
  const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : systemDark.matches;
  const nameButton = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours');
  };
  const repaint = () => {
    nameButton();
    drawings.forEach(draw);
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    repaint();
  });
  systemDark.addEventListener('change', repaint);

  let before;
  let folded = [];
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    folded = [...document.querySelectorAll('.folded:not([open])')];
    folded.forEach(each => { each.open = true; });
    root.dataset.theme = 'light';
    repaint();
  });
  addEventListener('afterprint', () => {
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    folded.forEach(each => { each.open = false; });
    repaint();
  });

  document.querySelectorAll('[data-download]').forEach(link => {
    const { name, mediaType, content } = page.downloads[Number(link.dataset.download)];
    link.href = linkTo(mediaType, content);
    link.download = name;
  });
  page.tables.forEach(sortable);
  page.charts.forEach(start);
  nameButton();

  window.__berth = { charts: page.charts.map(spec => spec.id), held, csv: csvOf, drawing: id => drawings.get(id) };
})();
