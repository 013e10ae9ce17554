/** Waits until an expectation holds, looking again and again; fails with its last reason after the deadline. */
export async function eventually(expectation: () => unknown | Promise<unknown>, withinMs = 10_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      await expectation();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
