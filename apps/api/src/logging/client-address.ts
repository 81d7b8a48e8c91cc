import type { IncomingMessage, Server } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** An IPv4 address as a socket that takes both families tells it (RFC 4291, section 2.5.5.2). */
const MAPPED_IPV4 = '::ffff:';

/**
 * The address of the client: with `TRUST_PROXY` the last one that no trusted proxy vouches for, as Express works it out,
 * else that of the connection. What a client writes into `X-Forwarded-For` by itself never comes out, where the setting
 * is right.
 */
export function clientAddress(request: IncomingMessage, trustsProxy: boolean): string | undefined {
  const { remoteAddress } = request.socket;
  const told = trustsProxy ? (request as { readonly ip?: string }).ip : undefined;
  // With a number of hops Express takes any text for an address.
  const address = told !== undefined && isIP(told) > 0 ? told : remoteAddress;
  return address?.startsWith(MAPPED_IPV4) === true ? address.slice(MAPPED_IPV4.length) : address;
}

/** Lets the address of a connection be known after its end as well: Node keeps it from when it is first asked for. */
export function keepClientAddresses(server: Server): void {
  server.on('connection', ({ remoteAddress }: Socket) => remoteAddress);
}
