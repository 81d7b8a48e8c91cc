import { totalmem } from 'node:os';
import { Gauge, type Registry } from 'prom-client';

/** Metrics of the version and of the memory limit. */
export function describeProcess(registry: Registry, version: string): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_build_info',
    help: 'Always 1: the version, and the version of Node, as labels.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const limit = memoryLimit(process.constrainedMemory(), totalmem());
  if (limit === undefined) return;
  new Gauge({
    name: 'animal_store_memory_limit_bytes',
    help: 'How much memory the control group of the process may take, in bytes; absent where there is no limit.',
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
