import { readFileSync } from 'node:fs';
import { reliabilityPage } from './page.ts';
import { makePage, PAGE } from './write.ts';

const PROOF = {
  promise: 'Nothing is lost',
  trial: 'kills | and deploys',
  command: 'npm run test:faults -- kills',
  figures: { kills: 5, lost: 0 },
  date: '2026-11-23',
  commit: 'abcdef0',
  versions: { node: '24.21.0' },
};

describe('reliabilityPage', () => {
  test('has a line for each proof, with its figures, versions, command and day', () => {
    expect(reliabilityPage([PROOF], [])).toContain(
      '| Nothing is lost | kills \\| and deploys | kills: 5<br>lost: 0 | node 24.21.0 | ' +
        '`npm run test:faults -- kills` | 2026-11-23, abcdef0 |',
    );
  });

  test('sorts the proofs by what they promise', () => {
    const page = reliabilityPage([PROOF, { ...PROOF, promise: 'A first one' }], []);
    expect(page.indexOf('A first one')).toBeLessThan(page.indexOf('Nothing is lost'));
  });

  test('says how long each command took, and whether it held', () => {
    const run = { command: 'npm run test:chaos', date: '2026-11-23', seconds: 300, passed: false };
    expect(reliabilityPage([], [run])).toContain('| `npm run test:chaos` | 5 min | 2026-11-23 | failed |');
  });
});

test('docs/reliability.md is what the checks have kept', async () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(await makePage());
});
