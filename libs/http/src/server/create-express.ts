import express, { type Express } from 'express';
import { TurnLimiter } from '../requests/turn-limiter.js';
import { BodyMemoryBudget } from '../requests/body-memory-budget.js';
import { Inflater } from '../requests/inflate.js';
import { queryStringParser } from '../requests/query-string.js';
import { BODY_LIMITS_SETTING, type BodyLimits } from '../requests/body-limits.js';

/**
 * From how many connections a piece of a large body, 64 KiB, is read in one turn of the event loop. Few, as Node accepts one new
 * connection a turn: with 600 that send at once, the next one waited for 1.2 s.
 */
const READS_PER_TURN = 4;

export interface ExpressOptions {
  /** The largest body in bytes, before inflating and after it. */
  readonly bodyLimit: number;
  /** In bytes, of all bodies that are being read together. */
  readonly bodiesLimit: number;
  /** Express's setting `trust proxy`, where there are proxies. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;
}

/** Express with the settings that it must have before its first route. */
export function createExpress({ bodyLimit, bodiesLimit, trustProxy }: ExpressOptions): Express {
  const server = express();
  // One address, one spelling.
  server.enable('case sensitive routing');
  server.enable('strict routing');
  server.disable('x-powered-by');
  server.set('query parser', queryStringParser());
  server.set(BODY_LIMITS_SETTING, {
    limit: bodyLimit,
    memory: new BodyMemoryBudget(bodiesLimit),
    turns: new TurnLimiter(READS_PER_TURN),
    inflater: new Inflater(),
  } satisfies BodyLimits);
  if (trustProxy !== undefined) server.set('trust proxy', trustProxy);
  return server;
}
