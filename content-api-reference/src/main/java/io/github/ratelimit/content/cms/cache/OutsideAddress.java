package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.fetch.GlobalAddresses;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The address by which others see this server, as far as it can tell itself. Safe for concurrent use. */
@Component
class OutsideAddress {

    private final String configured;

    OutsideAddress(CmsSettings settings) {
        this.configured = settings.cache().outsideAddress();
    }

    /** Returns the configured address, else a public one of this machine; empty where others see another one than it has. */
    Optional<String> find() {
        if (!configured.isEmpty()) {
            return Optional.of(configured);
        }
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(GlobalAddresses::contains)
                    .min(Comparator.comparing(address -> address.getAddress().length))
                    .map(InetAddress::getHostAddress);
        } catch (SocketException e) {
            return Optional.empty();
        }
    }
}
