import { z } from 'zod'
import { type FieldReading, readFields, readingSources } from '#shared/readings/reading'

const place = z.object({ page: z.int(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })

/** A reading for storage, for other processes, and for display. */
export const readingSchema = z
  .object({
    field: z.enum(readFields),
    value: z.string(),
    currency: z.string().optional(),
    probability: z.number(),
    // Readings from before this attribute existed are only offered.
    fills: z.boolean().default(false),
    source: z.enum(readingSources),
    place: place.optional(),
  })
  .meta({ id: 'FieldReading' })

/** All readings of a receipt. */
export const readingsSchema: z.ZodType<FieldReading[]> = z.array(readingSchema)
