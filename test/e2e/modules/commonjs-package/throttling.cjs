/** As a package of CommonJS that requires Nest is published, `@nestjs/throttler` 6 for one. */
const { HttpException } = require('@nestjs/common');
const { Reflector } = require('@nestjs/core');

/** A guard that lets nobody in. */
exports.ThrottlingGuard = class ThrottlingGuard {
  reflector = new Reflector();

  canActivate() {
    throw new HttpException('Too many requests for this guard', 429);
  }
};
