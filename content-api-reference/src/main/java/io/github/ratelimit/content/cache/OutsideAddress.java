package io.github.ratelimit.content.cache;

import io.github.ratelimit.content.fetch.GlobalAddresses;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Component;

/** The address by which others see this server, as far as it can tell itself. Safe for concurrent use. */
@Component
class OutsideAddress {

    private final String configured;

    OutsideAddress(CacheProperties properties) {
        this.configured = properties.outsideAddress();
    }

    /** Returns the configured address, else a public one of this machine, else any that is no loopback, else loopback. */
    String find() {
        if (!configured.isEmpty()) {
            return configured;
        }
        try {
            List<InetAddress> addresses = Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(NetworkInterface::inetAddresses)
                    .sorted(Comparator.comparing((InetAddress address) -> !GlobalAddresses.contains(address))
                            .thenComparing(address -> address.isLoopbackAddress() || address.isLinkLocalAddress())
                            .thenComparing(address -> address.getAddress().length))
                    .toList();
            return addresses.isEmpty()
                    ? InetAddress.getLoopbackAddress().getHostAddress()
                    : addresses.get(0).getHostAddress();
        } catch (SocketException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }
}
