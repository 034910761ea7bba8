/** Not converted yet. */
export const onboardingEndpoints = {};
