/** For how many years files are kept as they were captured, where the organization does not say: what tax laws usually ask for. */
export const defaultRetentionYears = 10
