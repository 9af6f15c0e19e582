/** How many years original files are kept by default: what tax laws usually require. */
export const defaultRetentionYears = 10
