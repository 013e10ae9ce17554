import { UserId } from '@kith/protocol';

/** A user id as it may stand in a token or a header: nothing invisible in it, so that no two ids look alike. */
export function asUserId(value: unknown): string | undefined {
  const parsed = UserId.safeParse(value);
  return parsed.success && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(parsed.data) ? parsed.data : undefined;
}
