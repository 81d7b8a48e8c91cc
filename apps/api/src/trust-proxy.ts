import { isIP } from 'node:net';
import { z } from 'zod';

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

/** `TRUST_PROXY`: the number of proxies, or their names and addresses, in Express's format. */
export const TRUST_PROXY = z
  .string()
  .refine(
    (text) =>
      /^[0-9]{1,3}$/.test(text) ||
      text.split(',').every((proxy) => {
        const [address = '', bits = '0', more] = proxy.trim().split('/');
        return PROXY_NAMES.includes(address) || (isIP(address) > 0 && /^[0-9]{1,3}$/.test(bits) && more === undefined);
      }),
    `must be a number of hops, or addresses, networks or ${PROXY_NAMES.join(', ')}, separated by commas`,
  )
  .transform((text) => (/^[0-9]+$/.test(text) ? Number(text) : text))
  .optional();
