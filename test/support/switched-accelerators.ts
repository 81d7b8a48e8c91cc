/**
 * For the environment of every service that the tests start: `TEST_ACCELERATORS=off npm run test:e2e` runs them on the
 * public ways of the libraries alone.
 */
export const SWITCHED_ACCELERATORS: Readonly<Record<string, string>> =
  process.env['TEST_ACCELERATORS'] === undefined ? {} : { ACCELERATORS: process.env['TEST_ACCELERATORS'] };
