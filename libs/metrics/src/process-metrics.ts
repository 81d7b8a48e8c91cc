import { totalmem } from 'node:os';
import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './distribution.js';

/** What was built. */
export interface Build {
  readonly version: string;
  /** Of the source. */
  readonly revision: string;
}

/** Tells what runs, and how much memory it may take. */
export function describeProcess(registry: MetricsRegistry, build: Build): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_build_info',
    help: 'Always 1: the version, the revision that was built, and the version of Node, as labels.',
    labelNames: ['version', 'revision', 'node'],
    registers,
  }).set({ ...build, node: process.version }, 1);
  const limit = memoryLimit(process.constrainedMemory(), totalmem());
  if (limit === undefined) return;
  new Gauge({
    name: 'animal_store_memory_limit_bytes',
    help: 'How much memory the control group of the process may take, in bytes; absent where there is no limit.',
    registers,
  }).set(limit);
}

/**
 * What the operating system lets the process have; `undefined` where that is no less than there is.
 *
 * @param constrained as `process.constrainedMemory()` tells it: 0 or far too much where there is no limit
 * @param total the memory of the machine, in bytes
 */
export function memoryLimit(constrained: number, total: number): number | undefined {
  return constrained > 0 && constrained < total ? constrained : undefined;
}
