import type { BodyMemoryBudget } from './body-memory-budget.js';
import type { Inflater } from './inflate.js';
import type { TurnLimiter } from './turn-limiter.js';

/** The limits within which an application reads bodies. */
export interface BodyLimits {
  /** The largest body in bytes, before and after decompression. */
  readonly limit: number;
  /** Limits the memory of all bodies together. */
  readonly memory: BodyMemoryBudget;
  /** Limits how many connections with large bodies are read in one turn of the event loop. */
  readonly turns: TurnLimiter;
  readonly inflater: Inflater;
}

/** The Express setting that holds the {@link BodyLimits}. */
export const BODY_LIMITS_SETTING = 'body limits';
