import { parse } from 'node:querystring';
import express, { type Express } from 'express';
import { BODY_LIMITS_SETTING, createBodyLimits } from '../requests/body-limits.js';

export interface ExpressOptions {
  /** The largest body in bytes. */
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
  // As Express's own `simple`, which drops all parameters after the first 1,000.
  server.set('query parser', (text?: string) => parse(text ?? '', '&', '=', { maxKeys: 0 }));
  server.set(BODY_LIMITS_SETTING, createBodyLimits(bodyLimit, bodiesLimit));
  if (trustProxy !== undefined) server.set('trust proxy', trustProxy);
  return server;
}
