import { SetMetadata } from '@nestjs/common';

/** The metadata key of the largest body of a route. */
export const BODY_LIMIT = 'animal-store:body-limit';

/** The largest body of a route, or of all routes of a controller, in bytes, instead of the setting `BODY_LIMIT`. */
export function BodyLimit(bytes: number): MethodDecorator & ClassDecorator {
  if (!Number.isSafeInteger(bytes) || bytes < 1) throw new Error(`@BodyLimit(${bytes}): give a number of bytes`);
  return SetMetadata(BODY_LIMIT, bytes);
}
