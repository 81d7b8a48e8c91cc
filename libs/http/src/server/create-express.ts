import express, { type Express } from 'express';
import { TurnLimiter } from '../requests/turn-limiter.js';
import { BodyMemoryBudget } from '../requests/body-memory-budget.js';
import { Inflater } from '../requests/inflate.js';
import { queryStringParser } from '../requests/query-string.js';
import { BODY_LIMITS_SETTING, type BodyLimits } from '../requests/body-limits.js';

/**
 * The number of connections from which a chunk of a large body, 64 KiB, is read in one turn of the event loop. It is
 * small because Node accepts one new connection per turn: while 600 connections sent at once, the next one waited for
 * 1.2 s.
 */
const READS_PER_TURN = 4;

export interface ExpressOptions {
  /** The largest body in bytes, before and after decompression. */
  readonly bodyLimit: number;
  /** The limit in bytes of all bodies that are being read together. */
  readonly bodiesLimit: number;
  /** Express's setting `trust proxy`, if there are proxies. */
  readonly trustProxy?: boolean | number | string | readonly string[] | undefined;
}

/** Creates an Express with the settings that it needs before its first route. */
export function createExpress({ bodyLimit, bodiesLimit, trustProxy }: ExpressOptions): Express {
  const server = express();
  // One address has one spelling.
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
