import { z } from 'zod';

const serviceState = z.enum(['ok', 'failing']);

export const healthSchema = z
  .object({
    status: serviceState,
    version: z.string(),
    services: z.record(z.string(), serviceState),
  })
  .meta({ id: 'Health' });
export type Health = z.infer<typeof healthSchema>;
