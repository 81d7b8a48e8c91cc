import { CallerCounts } from './request-metrics.js';

/** The counts that are not 0, by key and class. */
function told(counts: CallerCounts): string[] {
  return [...counts.all()]
    .filter(({ count }) => count > 0)
    .map(({ labels: { key, status_class: statusClass }, count }) => `${key} ${statusClass} ${count}`);
}

describe('the requests of a key', () => {
  test('count by the class of their status', () => {
    const counts = new CallerCounts();
    for (const status of [200, 201, 304, 404, 400, 503, 0]) counts.add('shop', status);
    expect(told(counts)).toEqual(['shop aborted 1', 'shop 2xx 2', 'shop 3xx 1', 'shop 4xx 2', 'shop 5xx 1']);
  });

  test('have every class from their first request on', () => {
    const counts = new CallerCounts();
    counts.add('shop', 200);
    const classes = [...counts.all()]
      .filter(({ labels }) => labels.key === 'shop')
      .map((line) => line.labels.status_class);
    expect(classes).toEqual(['aborted', '2xx', '3xx', '4xx', '5xx']);
  });

  test('count under one name from the hundred and first key on', () => {
    const counts = new CallerCounts();
    for (let key = 1; key <= 120; key += 1) counts.add(`key ${key}`, 200);
    counts.add('key 1', 200);
    counts.add('other', 200);
    expect(told(counts)).toHaveLength(101);
    expect(told(counts)).toEqual(expect.arrayContaining(['key 1 2xx 2', 'key 100 2xx 1', 'other 2xx 21']));
  });
});
