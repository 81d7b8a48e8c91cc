import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC_ROUTE = 'animal-store:public-route';

/** Makes a route, or all routes of a controller, usable without an API key. All other routes need one. */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC_ROUTE, true);
}
