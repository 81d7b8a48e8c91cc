import type { BodyLimits } from './body-limits.js';
import { BodyMemoryBudget } from './body-memory-budget.js';
import { Inflater } from './inflate.js';
import { TurnLimiter } from './turn-limiter.js';

/**
 * The number of connections from which a chunk of a large body, 64 KiB, is read in one turn of the event loop. It is
 * small because Node accepts one new connection per turn: while 600 connections sent at once, the next one waited for
 * 1.2 s.
 */
const READS_PER_TURN = 4;

/**
 * Creates the limits of one application.
 *
 * @param limit the largest body in bytes, before and after decompression
 * @param limitOfAll the limit in bytes of all bodies that are being read together
 */
export function createBodyLimits(limit: number, limitOfAll: number): BodyLimits {
  return {
    limit,
    memory: new BodyMemoryBudget(limitOfAll),
    turns: new TurnLimiter(READS_PER_TURN),
    inflater: new Inflater(),
  };
}
