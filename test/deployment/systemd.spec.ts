import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeUnless } from '../support/describe-unless.js';

const UNIT = readFileSync(join(import.meta.dirname, '../../deploy/systemd/animal-store.service'), 'utf8');

const describeWithSystemd = describeUnless(
  spawnSync('systemd-analyze', ['--version']).status === 0
    ? undefined
    : 'The unit of systemd is not verified: systemd-analyze is not installed. On Debian: apt-get install systemd',
);

describe('the unit of systemd', () => {
  describeWithSystemd('for systemd itself', () => {
    let folder: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
      // The program is replaced, because it is not installed on this machine.
      writeFileSync(join(folder, 'animal-store.service'), UNIT.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    });

    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    /** @returns the complaints about the unit */
    function analyze(...words: string[]): string {
      const { status, stdout, stderr } = spawnSync(
        'systemd-analyze',
        [...words, join(folder, 'animal-store.service')],
        {
          encoding: 'utf8',
        },
      );
      return status === 0 ? stderr : `${status}: ${stdout}${stderr}`;
    }

    test('is one that systemd understands to the last line', () => {
      expect(analyze('verify', '--man=no')).toBe('');
    });

    test('exposes little', () => {
      expect(analyze('security', '--offline=true', '--threshold=15')).toBe('');
    });
  });

  test.each([
    ['is granted longer to end than it takes', 'TimeoutStopSec=30'],
    ['has the memory that the bounds of the service suit', 'MemoryMax=512M'],
  ])('%s', (_, line) => {
    expect(UNIT.split('\n')).toContain(line);
  });
});
