/**
 * Like `main.js` of the build, with a module of a team in addition to the modules of the service. Tracing must start
 * before everything else, so this is a separate program: Node runs it from the build, where there are no decorators.
 */
import process from 'node:process';
import { URL } from 'node:url';

const BUILD = new URL('../../dist/apps/api/src/', import.meta.url);

/** @param {string} file the path of a file in the build */
function load(file) {
  return import(new URL(file, BUILD).href);
}

const { readEnvironment } = await load('environment.js');
const { startTracing } = await load('tracing/tracing.js');
const environment = readEnvironment(process.env);
await startTracing(process.env);

const { createApp } = await load('create-app.js');
const { Controller, Get, Module } = await import('@nestjs/common');

class OrdersController {
  get() {
    return {};
  }
}
const { prototype } = OrdersController;
Get(':orderId')(prototype, 'get', Object.getOwnPropertyDescriptor(prototype, 'get'));
Controller({ path: 'orders', version: '1' })(OrdersController);

class OrdersModule {}
Module({ controllers: [OrdersController] })(OrdersModule);

const app = await createApp(environment, { features: [OrdersModule] });
await app.listen(environment.PORT, environment.HOST);
process.stdout.write(`listening on ${await app.getUrl()}\n`);
