import type { IncomingMessage, Server } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** An IPv4 address in the form of a socket for both families (RFC 4291, section 2.5.5.2). */
const MAPPED_IPV4 = '::ffff:';

/**
 * The address of the client. With `TRUST_PROXY` it is the last address that no trusted proxy added, as Express computes
 * it; otherwise the address of the connection. With a correct setting, a client cannot choose it with
 * `X-Forwarded-For`.
 */
export function clientAddress(request: IncomingMessage, trustsProxy: boolean): string | undefined {
  const { remoteAddress } = request.socket;
  const forwarded = trustsProxy ? (request as { readonly ip?: string }).ip : undefined;
  // With a number of hops, Express accepts any text as an address.
  const address = forwarded !== undefined && isIP(forwarded) > 0 ? forwarded : remoteAddress;
  return address?.startsWith(MAPPED_IPV4) === true ? address.slice(MAPPED_IPV4.length) : address;
}

/** Keeps the address of a connection after its end: Node stores it with the first call. */
export function keepClientAddresses(server: Server): void {
  server.on('connection', ({ remoteAddress }: Socket) => remoteAddress);
}
