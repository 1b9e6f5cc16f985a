package io.github.ratelimit;

/** The key of limiters that count everything together. */
enum Everybody implements KeyResolver<Object> {
    INSTANCE;

    @Override
    public Key resolve(Object request) {
        return Key.absent();
    }
}
