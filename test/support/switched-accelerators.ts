/**
 * Part of the environment of every service that the tests start: `TEST_ACCELERATORS=off npm run test:e2e` tests the
 * services with only the public interfaces of the libraries.
 */
export const SWITCHED_ACCELERATORS: Readonly<Record<string, string>> =
  process.env['TEST_ACCELERATORS'] === undefined ? {} : { ACCELERATORS: process.env['TEST_ACCELERATORS'] };
