/** The CPU time of this thread, in milliseconds. Unlike the time of a clock, it does not grow with the load of the machine. */
export function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
