/** Draws the ratios as a bar chart. */
import * as echarts from 'echarts';

const SIZE = { width: 1_200, height: 480 };
const PEER_COLORS = {
  'raw-pg': '#4575b4',
  'fastify-pg': '#74add1',
  'express-pg': '#abd9e9',
  'nest-typeorm': '#fdae61',
  'nest-prisma': '#f46d43',
  'nest-mikroorm': '#d73027',
  static: '#999999',
};
const SUBJECT_COLOR = '#1b7837';

/** An SVG with a group of bars per workload: requests per second in units of `baseline`, on a logarithmic axis. */
export function ratioChart(comparisons, baseline) {
  const servers = [comparisons.subject, ...comparisons.peers].filter((server) => server !== baseline);
  const workloads = comparisons.workloadsOf(baseline).filter((workload) => !workload.endsWith('-single'));
  const values = servers.map((server) =>
    workloads.map((workload) => comparisons.relativeTo(baseline, server, workload)),
  );
  const smallest = Math.min(...values.flat().filter((value) => value !== undefined));
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: { text: `Requests per second in units of ${baseline} (logarithmic)`, left: 'center', top: 8 },
    legend: { bottom: 8, itemGap: 28 },
    grid: { left: 56, right: 24, top: 52, bottom: 72 },
    xAxis: { type: 'category', data: workloads, axisTick: { show: false } },
    yAxis: {
      type: 'log',
      min: 10 ** Math.floor(Math.log10(smallest)),
      axisLabel: { formatter: (value) => `${value} x` },
    },
    series: servers.map((server, index) => ({
      name: server,
      type: 'bar',
      barGap: '8%',
      itemStyle: { color: server === comparisons.subject ? SUBJECT_COLOR : PEER_COLORS[server] },
      data: values[index].map(bar),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}

/** Bars start at 1: the bar of a faster server goes up, the bar of a slower server goes down. The number is at the end of the bar. */
function bar(value) {
  if (value === undefined) return null;
  const label = { show: true, position: value < 1 ? 'bottom' : 'top', fontSize: 10, distance: 3 };
  return { value: value.toFixed(2), label };
}
