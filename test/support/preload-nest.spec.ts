import { HttpException } from '@nestjs/common';
import { ThrottlingGuard } from '../e2e/modules/commonjs-package/throttling.cjs';

test('a package of CommonJS that requires Nest loads in a unit test', () => {
  const guard = new ThrottlingGuard();
  expect(guard.canActivate.bind(guard)).toThrow(HttpException);
});
