import { totalmem } from 'node:os';
import { Gauge } from 'prom-client';
import { memoryLimit } from './memory-limit.js';
import type { MetricsRegistry } from './metrics-registry.js';

/** The build of the service. */
export interface Build {
  readonly version: string;
  /** The revision of the source code. */
  readonly revision: string;
}

/** Metrics of the build and of the memory limit. */
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
