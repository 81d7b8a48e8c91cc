/** Draws a call tree as a flame graph: a wider call took more time; the functions that it called stand on top of it. */
import * as echarts from 'echarts';

const WIDTH = 1_200;
const ROW = 17;
const HEADER = 64;

/** Narrower calls are omitted; the width is a share of the total time. */
const NARROWEST = 0.004;

/** The owners of the code. A call belongs to the first part that matches. */
const PARTS = [
  { name: 'this service', color: '#1b7837', owns: ({ file }) => /\/dist\/(?:apps|libs)\//.test(file) },
  { name: 'Nest', color: '#d73027', owns: ({ file }) => file.includes('/node_modules/@nestjs/') },
  {
    name: 'Express',
    color: '#fdae61',
    owns: ({ file }) => /\/node_modules\/(?:express|router|path-to-regexp)\//.test(file),
  },
  { name: 'PostgreSQL client', color: '#4575b4', owns: ({ file }) => /\/node_modules\/pg/.test(file) },
  { name: 'other packages', color: '#c2a5cf', owns: ({ file }) => file.includes('/node_modules/') },
  { name: 'Node', color: '#abd9e9', owns: ({ file }) => file.startsWith('node:') },
  { name: 'the engine and the system: sockets, garbage collector', color: '#bbbbbb', owns: () => true },
];

/** @param tree a call tree from `measureProfile` */
export function flameGraph(title, tree) {
  const calls = layOut(tree);
  const rows = Math.max(...calls.map(({ depth }) => depth)) + 1;
  const height = HEADER + rows * ROW + 8;
  const series = PARTS.map((part) => ({
    type: 'custom',
    name: part.name,
    itemStyle: { color: part.color },
    renderItem: drawCall,
    encode: { x: [0, 1], y: 2 },
    data: calls
      .filter(({ part: owner }) => owner === part)
      .map(({ start, share, depth, name }) => ({ value: [start, start + share, depth], name })),
  }));
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: title, left: 'center', top: 6, textStyle: { fontSize: 15 } },
    legend: { top: 32, data: PARTS.map(({ name }) => name) },
    grid: { left: 4, right: 4, top: HEADER, bottom: 8 },
    xAxis: { show: false, min: 0, max: 1 },
    yAxis: { show: false, min: 0, max: rows },
    series,
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;

  function drawCall({ dataIndex, seriesIndex }, api) {
    const [left, top] = api.coord([api.value(0), api.value(2) + 1]);
    const [right] = api.coord([api.value(1), api.value(2)]);
    const width = right - left;
    return {
      type: 'rect',
      shape: { x: left, y: top, width: Math.max(width - 0.5, 0.5), height: ROW - 1 },
      style: { fill: PARTS[seriesIndex].color },
      textContent: {
        style: {
          text: width < 30 ? '' : series[seriesIndex].data[dataIndex].name,
          width: width - 4,
          overflow: 'truncate',
          fontSize: 10,
          fill: '#000',
        },
      },
      textConfig: { position: 'insideLeft', distance: 2 },
    };
  }
}

/** The time in the code of each part, without the functions that this code called, as shares of the total time. */
export function sharesOfParts(tree) {
  const times = new Map(PARTS.map((part) => [part, 0]));
  const add = (call) => {
    const part = PARTS.find(({ owns }) => owns(call));
    times.set(part, times.get(part) + call.self);
    call.calls.forEach(add);
  };
  add(tree);
  return new Map([...times].map(([{ name }, time]) => [name, time / tree.total]));
}

/** The calls that are wide enough to be visible, with their positions, as shares of the total time. */
function layOut(root) {
  const calls = [];
  const place = (call, start, depth) => {
    const share = call.total / root.total;
    if (share < NARROWEST) return;
    calls.push({ name: call.name, start, share, depth, part: PARTS.find(({ owns }) => owns(call)) });
    let at = start;
    for (const child of call.calls.toSorted((a, b) => b.total - a.total)) {
      place(child, at, depth + 1);
      at += child.total / root.total;
    }
  };
  place(root, 0, 0);
  return calls;
}
