import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC_ROUTE = 'animal-store:public-route';

/** Lets a route or a controller answer without an API key. Everything without it is closed. */
export function Public(): CustomDecorator {
  return SetMetadata(PUBLIC_ROUTE, true);
}
