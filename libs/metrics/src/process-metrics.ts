import { totalmem } from 'node:os';
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';

/** What the metrics tell of the process that no part of it can know by itself. */
export interface MeasuredProcess {
  /** The version of the service. */
  readonly version: string;
  /** The number of lines of the log that could not be written. */
  readonly lostLogLines: () => number;
}

/** Metrics of the process: those of prom-client, its version, its memory limit and its log. */
export function measureProcess(registry: Registry, { version, lostLogLines }: MeasuredProcess): void {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'animal_store_build_info',
    help: 'Always 1, with the version of the service and of Node as labels.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  new Counter({
    name: 'animal_store_log_lines_lost_total',
    help: 'Lines of the log that were lost, because nobody read it, or because it could not be written.',
    registers,
    collect() {
      this.reset();
      this.inc(lostLogLines());
    },
  });
  const limit = memoryLimit(process.constrainedMemory(), totalmem());
  if (limit === undefined) return;
  new Gauge({
    name: 'animal_store_memory_limit_bytes',
    help: 'The memory limit of the control group of the process, in bytes; absent if there is none.',
    registers,
  }).set(limit);
}

/**
 * The memory limit of the process, in bytes; `undefined` if it is not lower than the memory of the machine.
 *
 * @param constrained `process.constrainedMemory()`: without a limit it is 0 or a very large number
 * @param total the memory of the machine, in bytes
 */
export function memoryLimit(constrained: number, total: number): number | undefined {
  return constrained > 0 && constrained < total ? constrained : undefined;
}
