/**
 * Starts the service as `main.js` of the build does, with one more route of a team that will be removed in 30 days. Node runs
 * this file with the modules of the build. It uses no decorators, because Node does not support them.
 */
import { URL } from 'node:url';

const DIST = new URL('../../dist/', import.meta.url);
const DAY_MS = 86_400_000;

const { runServer } = await import(new URL('apps/api/src/run-server.js', DIST).href);
const { Controller, Get, Module } = await import('@nestjs/common');
const { Deprecated } = await import(new URL('libs/http/src/index.js', DIST).href);

class ExhibitsController {
  get() {
    return {};
  }
}
const { prototype } = ExhibitsController;
const method = [prototype, 'get', Object.getOwnPropertyDescriptor(prototype, 'get')];
Get()(...method);
Deprecated({ since: '2026-01-01', sunset: new Date(Date.now() + 30 * DAY_MS).toISOString(), successor: '/v1/pets' })(
  ...method,
);
Controller({ path: 'exhibits', version: '1' })(ExhibitsController);

class ExhibitsModule {}
Module({ controllers: [ExhibitsController] })(ExhibitsModule);

await runServer({ features: [ExhibitsModule] });
