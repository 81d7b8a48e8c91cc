/** CPU time and memory of a process and all its descendants, from /proc. On every system other than Linux: `undefined`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

const isLinux = process.platform === 'linux';
const ticksPerSecond = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : undefined;

/** CPU seconds used so far, including the seconds of descendants that have ended and whose parent has waited for them. */
export function cpuSeconds(rootPid) {
  if (!isLinux) return undefined;
  const ticks = processTree(rootPid).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  return ticks / ticksPerSecond;
}

/** Resident memory in MiB. */
export function residentMebibytes(rootPid) {
  if (!isLinux) return undefined;
  const kibibytes = processTree(rootPid).reduce((sum, { pid }) => {
    const status = readOrEmpty(`/proc/${pid}/status`);
    return sum + Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  }, 0);
  return kibibytes / 1024;
}

function processTree(rootPid) {
  const processes = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => parseStat(Number(pid), readOrEmpty(`/proc/${pid}/stat`)));
  const members = new Set([rootPid]);
  for (let size = 0; size !== members.size;) {
    size = members.size;
    for (const { pid, parent } of processes) if (members.has(parent)) members.add(pid);
  }
  return processes.filter(({ pid }) => members.has(pid));
}

/** The program name, in parentheses, may contain spaces, so the fields are counted from the closing parenthesis. */
function parseStat(pid, stat) {
  if (stat === '') return [];
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTime, systemTime, childrenUserTime, childrenSystemTime] = fields.slice(11, 15).map(Number);
  const cpuTicks = userTime + systemTime + childrenUserTime + childrenSystemTime;
  return [{ pid, parent: Number(fields[1]), cpuTicks }];
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
