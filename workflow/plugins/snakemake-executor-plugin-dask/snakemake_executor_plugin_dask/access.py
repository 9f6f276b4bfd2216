"""Access to the scheduler and workers of a run, with a key that is made for the run."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

#: Settings of Dask without its web pages, which show jobs to everyone who can reach their ports.
NO_PAGES: dict[str, Any] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
_NAME = "snakemake-dask"
# Dask's own temporary key is valid from the moment when it is made. Then a machine whose clock is
# a second behind, or is set back, could not connect.
_VALID_FROM = datetime(2000, 1, 1, tzinfo=UTC)
_VALID_UNTIL = datetime(2999, 1, 1, tzinfo=UTC)


def key_of_run() -> Any:
    """Return a `distributed.Security` with a new key, without which nobody can connect."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID
    from distributed import Security

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _NAME)])
    certificate = (
        x509.CertificateBuilder(name, name, private.public_key(), x509.random_serial_number())
        .not_valid_before(_VALID_FROM)
        .not_valid_after(_VALID_UNTIL)
        .sign(private, hashes.SHA256())
    )
    key = private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
    public = certificate.public_bytes(serialization.Encoding.PEM).decode()
    roles = ("client", "scheduler", "worker")
    return Security(
        require_encryption=True,
        tls_ca_file=public,
        **{f"tls_{role}_key": key for role in roles},
        **{f"tls_{role}_cert": public for role in roles},
    )


def audience(dashboard: str) -> str:
    """Return who can open a dashboard at an address such as ``:8787``."""
    host = dashboard.rpartition("//")[2].rpartition(":")[0]
    if host in ("127.0.0.1", "localhost", "[::1]"):
        return "every user of this machine"
    return "everyone who can reach this machine"
