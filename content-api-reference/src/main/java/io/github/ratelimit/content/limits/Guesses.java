package io.github.ratelimit.content.limits;

import jakarta.servlet.ServletRequest;

/** Makes the tries of passwords that one HTTP request brings, itself or by requests that it holds. */
@FunctionalInterface
public interface Guesses {
    /** Of requests that the server makes by itself. */
    Guesses UNLIMITED = Guess::free;

    /**
     * Makes a try that has not cost anything yet.
     *
     * @return for one password, against one thing or several
     */
    Guess begin();

    /**
     * Tells what limits the guesses of a request.
     *
     * @param request a request that passed the authentication filter
     * @return no limit where there was no filter, as in tests of single parts
     */
    static Guesses of(ServletRequest request) {
        return request.getAttribute(Guesses.class.getName()) instanceof Guesses guesses ? guesses : UNLIMITED;
    }

    /**
     * Sets what limits the guesses of a request.
     *
     * @param request the request
     * @param guesses makes them
     */
    static void set(ServletRequest request, Guesses guesses) {
        request.setAttribute(Guesses.class.getName(), guesses);
    }
}
