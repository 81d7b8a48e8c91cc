import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { JsonExpressAdapter } from '../express.adapter.js';
import { RequestState } from '../request-context.js';
import { Deprecated, DeprecationGuard } from './deprecated.js';

describe('@Deprecated()', () => {
  test.each([
    [
      { since: '2026-11-20', sunset: '2030-12-05', successor: '/new' },
      [
        ...['Deprecation', '@1795132800', 'Sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
        ...['Link', '</shop/new>; rel="successor-version"'],
      ],
    ],
    [undefined, undefined],
  ])('is told with the prefix that a proxy removes: %j', (options, fields) => {
    const value = () => undefined;
    if (options !== undefined) Deprecated(options)({}, 'method', { value });
    const host = new HttpAdapterHost<JsonExpressAdapter>();
    host.httpAdapter = { pathPrefix: '/shop' } as JsonExpressAdapter;
    const state = new RequestState('id');
    const context = new ExecutionContextHost([{}, { state }], undefined, value);
    expect(new DeprecationGuard(new Reflector(), host).canActivate(context)).toBe(true);
    expect(state.deprecation).toEqual(fields);
  });

  test.each([
    [{ since: 'soon', sunset: '2030-12-05', successor: '/new' }, 'soon is not a date'],
    [{ since: '2026-11-20', sunset: 'later', successor: '/new' }, 'later is not a date'],
  ])('refuses %j', (options, reason) => {
    expect(() => Deprecated(options)).toThrow(reason);
  });
});
