/** The day on which getPet is removed: 5 December 2030. */
const GET_PET_SUNSET = '2030-12-05';

/** The same day as the description of the operation writes it. */
export const GET_PET_SUNSET_TEXT = new Date(GET_PET_SUNSET).toLocaleDateString('en-GB', {
  dateStyle: 'long',
  timeZone: 'UTC',
});

export const GET_PET_DEPRECATION = { since: '2026-11-20', sunset: GET_PET_SUNSET, successor: '/v1/pets' };
