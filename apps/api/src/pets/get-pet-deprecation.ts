/** getPet is removed on 5 December 2030. */
export const GET_PET_DEPRECATION = { since: '2026-11-20', sunset: '2030-12-05', successor: '/v1/pets' };
