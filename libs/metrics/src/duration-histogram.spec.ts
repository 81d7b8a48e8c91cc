import { Histogram, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.js';

const ABOUT = { name: 'request_seconds', help: 'Time of a request.' };
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const SERIES = [
  { labels: { route: '/v1/pets', status: '200' }, seconds: [0, 0.001, 0.0011, 0.3, 10] },
  { labels: { route: 'a "quoted" \\ path', status: '500' }, seconds: [10.01, 3600] },
];

test('a histogram of durations is written as one of prom-client is', async () => {
  const [expected, registry] = [new Registry(), new Registry()];
  const theirs = new Histogram({ ...ABOUT, labelNames: ['route', 'status'], buckets: BUCKETS, registers: [expected] });
  const ours = new DurationHistogram(registry, ABOUT.name, ABOUT.help);
  for (const { labels, seconds } of SERIES) {
    for (const duration of seconds) {
      theirs.observe(labels, duration);
      ours.of({ ...labels }).observe(duration);
    }
  }
  expect(await registry.metrics()).toBe(await expected.metrics());
});
