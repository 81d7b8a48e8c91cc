import { announce } from '@animal-store/http';

/** When getPet was deprecated: 20 November 2026 (RFC 9745: seconds since 1970). */
const DEPRECATED_AT = Date.UTC(2026, 10, 20) / 1000;
/** When it will be removed (RFC 8594). */
const REMOVED_AT = new Date(Date.UTC(2030, 11, 5)).toUTCString();

/** Lets every answer of getPet, refusals included, tell that it will be removed. */
export function announceGetPetDeprecation(): void {
  announce('/v1/pets/:petId', [
    ...['Deprecation', `@${DEPRECATED_AT}`],
    ...['Sunset', REMOVED_AT],
    ...['Link', '</v1/pets>; rel="successor-version"'],
  ]);
}
