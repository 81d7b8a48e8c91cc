import { RouteMemo } from './route-memo.js';

class Base {
  handler(): undefined {
    return undefined;
  }
}

class Derived extends Base {}

describe('what is kept of a route', () => {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- never called
  const { handler } = Base.prototype;

  test('is found out once', () => {
    const memo = new RouteMemo<boolean>();
    const found = [false, true].map((value) => memo.get(Base, handler, () => value));
    expect(found).toEqual([false, false]);
  });

  test('is not that of another controller which inherits the handler', () => {
    const memo = new RouteMemo<string>();
    expect([Base, Derived].map((type) => memo.get(type, handler, () => type.name))).toEqual(['Base', 'Derived']);
  });
});
