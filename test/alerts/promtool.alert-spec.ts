import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describeUnless } from '../support/describe-unless.js';

const FOLDER = join(import.meta.dirname, '../../deploy/prometheus');

const describeWithPromtool = describeUnless(
  spawnSync('promtool', ['--version']).status === 0
    ? undefined
    : 'Rules are not tried on figures: promtool is not installed. On Debian: apt-get install prometheus',
);

describeWithPromtool('the rules', () => {
  test.each([
    ['are well formed', ['check', 'rules', 'alerts.yaml', 'machines.yaml']],
    ['fire for invented figures as they must', ['test', 'rules', 'alerts.test.yaml', 'machines.test.yaml']],
  ])('%s', (_, words) => {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: FOLDER, encoding: 'utf8' });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  });
});
